import type { Digest } from "../messages/digest.ts";
import { type DigestLimits, type DigestLine, toLines } from "../messages/digest-lines.ts";
import type { WebhookForm } from "./webhooks.ts";

interface Message {
  id: string;
  createdAt: Date;
  digest: Digest;
}

/**
 * Returns the JSON for a webhook. Slack gets rich text and Teams gets text runs. Neither parses markup in them, so
 * names need no escaping.
 */
export function toBody(form: WebhookForm, { id, createdAt, digest }: Message): object {
  if (form === "slack") return fit(digest, toSlack, (json) => json.length <= slackCharacters);
  if (form === "teams") return fit(digest, toTeams, (json) => Buffer.byteLength(json) <= teamsBytes);
  return { id, created_at: createdAt.toISOString(), ...digest };
}

/** Slack refuses more than about 13,000 characters in all blocks. */
const slackCharacters = 12_000;
/** Teams refuses more than 28 KB. */
const teamsBytes = 24_000;

/** Limits from largest to smallest. The first that makes the message fit is used; the last always fits. */
const limits: readonly DigestLimits[] = [
  { rows: 20, sections: 20 },
  { rows: 10, sections: 20 },
  { rows: 5, sections: 20 },
  { rows: 2, sections: 10 },
  { rows: 0, sections: 5 },
  { rows: 0, sections: 1 },
];

function fit(
  digest: Digest,
  render: (lines: readonly DigestLine[]) => object,
  isShort: (json: string) => boolean,
): object {
  let body = {};
  for (const limit of limits) {
    body = render(toLines(digest, limit));
    if (isShort(JSON.stringify(body))) break;
  }
  return body;
}

function toSlack(lines: readonly DigestLine[]): object {
  // Shown in notifications, and by chats such as Mattermost that take the same webhooks but ignore blocks.
  const text = lines.flatMap((line) => {
    if (line.kind === "link") return `<${escapeCharacters(line.url).replaceAll("|", "%7C")}|${line.text}>`;
    return line.kind === "headline" || line.kind === "text" ? escapeMrkdwn(line.text) : [];
  });
  return { text: text.join("\n"), blocks: [{ type: "rich_text", elements: toRichText(lines) }] };
}

/** Groups consecutive text lines into a section, and consecutive rows into a list. */
function toRichText(lines: readonly DigestLine[]): object[] {
  const groups: { isList: boolean; elements: object[] }[] = [];
  for (const line of lines) {
    const isList = line.kind === "row";
    const last = groups.at(-1);
    const elements = isList ? [{ type: "rich_text_section", elements: toTexts(line) }] : toTexts(line);
    if (last?.isList !== isList) groups.push({ isList, elements });
    else last.elements.push(...(isList ? [] : [{ type: "text", text: "\n" }]), ...elements);
  }
  return groups.map(({ isList, elements }) =>
    isList ? { type: "rich_text_list", style: "bullet", elements } : { type: "rich_text_section", elements },
  );
}

function toTexts(line: DigestLine): object[] {
  const text = { type: "text", text: line.text };
  const bold = { ...text, style: { bold: true } };
  switch (line.kind) {
    case "link":
      return [{ type: "link", url: line.url, text: line.text }];
    case "row":
      return [bold, ...(line.details === "" ? [] : [{ type: "text", text: ` ${line.details}` }])];
    case "title":
      return [{ ...bold, text: `\n${line.text}` }];
    case "text":
      return [text];
    case "small":
    case "footer":
      return [{ ...text, style: { italic: true } }];
    default:
      return [bold];
  }
}

/** Formatting marks and mentions can't be escaped, so zero-width spaces separate them from words. */
function escapeMrkdwn(text: string): string {
  return escapeCharacters(text).replace(/[*_~`@[\]]/g, "\u200b$&\u200b");
}

function escapeCharacters(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Wraps an Adaptive Card as the trigger "When a Teams webhook request is received" expects it. */
function toTeams(lines: readonly DigestLine[]): object {
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.2",
          msteams: { width: "Full" },
          body: lines.map(teamsElement),
        },
      },
    ],
  };
}

function teamsElement(line: DigestLine): object {
  if (line.kind === "link")
    return { type: "ActionSet", actions: [{ type: "Action.OpenUrl", title: line.text, url: line.url }] };
  const run = { type: "TextRun", text: line.text };
  if (line.kind === "row") {
    const details = line.details === "" ? [] : [{ type: "TextRun", text: ` ${line.details}` }];
    return { type: "RichTextBlock", spacing: "Small", inlines: [{ ...run, weight: "Bolder" }, ...details] };
  }
  const style = {
    headline: { weight: "Bolder", size: "Large" },
    title: { weight: "Bolder", size: "Medium" },
    text: {},
    change: { weight: "Bolder" },
    small: { isSubtle: true, size: "Small" },
    footer: { isSubtle: true, size: "Small" },
  }[line.kind];
  return {
    type: "RichTextBlock",
    ...(line.kind === "title" && { separator: true, spacing: "Large" }),
    inlines: [{ ...run, ...style }],
  };
}
