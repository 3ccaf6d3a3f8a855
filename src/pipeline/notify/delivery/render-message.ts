import { html } from "../../../report/html/html.ts";
import { sanitizeText } from "../../../util/text/escaping.ts";
import { changeWords, type Digest, type DigestSection, type DigestTable } from "../compose-digest.ts";
import type { Message } from "./message.ts";
import type { WebhookForm } from "./webhooks.ts";

/** A line of a message. Its texts have no line breaks and no hidden characters, but are not escaped. */
interface Line {
  kind: keyof typeof looks;
  text: string;
  /** Values of a row, or the address of a link. */
  more?: string;
}

const strong = "font-weight:bold";
const subtle = "color:#595959;font-size:13px";
const bold = { weight: "Bolder" };
const faint = { isSubtle: true, size: "Small" };
/** Style of each kind of line: CSS in mail, formatting mark in Slack, and card properties in Teams. */
const looks = {
  headline: { css: `font-size:18px;${strong}`, mark: "*", card: { ...bold, size: "Large" } },
  title: {
    css: `margin-top:24px;padding-top:12px;border-top:1px solid #ccc;font-size:16px;${strong}`,
    mark: "*",
    card: { ...bold, size: "Medium" },
  },
  text: { css: "margin:4px 0", mark: "", card: {} },
  change: { css: `margin:12px 0 4px;${strong}`, mark: "*", card: bold },
  row: { css: "margin:6px 0;padding-left:10px;border-left:3px solid #ccc", mark: "*", card: bold },
  link: { css: "margin:12px 0", mark: "", card: {} },
  small: { css: `margin:4px 0;${subtle}`, mark: "_", card: faint },
  footer: { css: subtle, mark: "_", card: faint },
};

/** Renders a digest as plain text and as HTML without style sheets, images or scripts. */
export function renderMail(digest: Digest): { subject: string; text: string; html: string } {
  const lines = toLines(digest);
  return { subject: lines[0]?.text ?? "", text: `${lines.map(toText).join("\n")}\n`, html: toPage(lines) };
}

/** Chat formats with their size limits: Slack truncates long text, and Teams rejects more than 28 KB. */
const chats = {
  slack: { render: toSlack, maxBytes: 12_000 },
  teams: { render: toTeams, maxBytes: 24_000 },
};

/** Returns the JSON for a webhook. */
export function renderBody(form: WebhookForm, { id, createdAt, digest }: Omit<Message, "recipient">): object {
  if (form === "json") return { id, created_at: createdAt.toISOString(), ...digest };
  const { render, maxBytes } = chats[form];
  const lines = toLines(digest);
  const [content, footers] = [lines.slice(0, -2), lines.slice(-2)];
  for (let shown = content.length; ; shown = Math.floor(shown * 0.8)) {
    const omitted = content.length - shown;
    const more = omitted > 0 ? [toLine("small", `and ${omitted} more lines`)] : [];
    const body = render([...content.slice(0, shown), ...more, ...footers]);
    if (shown < 2 || Buffer.byteLength(JSON.stringify(body)) <= maxBytes) return body;
  }
}

/** Maximum characters of a text; names are much shorter. */
const maxLength = 300;

function toLine(kind: Line["kind"], text: string, more = ""): Line {
  return { kind, text: clean(text), ...(more !== "" && { more }) };
}

function clean(text: string): string {
  const characters = [...sanitizeText(text, " ").trim()];
  const isLong = characters.length > maxLength;
  return isLong ? `${characters.slice(0, maxLength - 1).join("")}…` : characters.join("");
}

/** Lays out a digest as lines, which suit a phone better than wide tables. */
function toLines({ headline, sections, age, stop }: Digest): Line[] {
  const sectionLines = ({ rule, title, answer, tables, link, notes }: DigestSection) => [
    toLine("title", title),
    // A single view's answer is already the headline.
    ...(headline.endsWith(answer) ? notes : [answer, ...notes]).map((text) => toLine("text", text)),
    ...tables.flatMap(tableLines),
    ...(link === undefined ? [] : [toLine("link", "Open the report", link)]),
    toLine("small", `Rule: ${rule}`),
  ];
  return [
    toLine("headline", headline),
    ...sections.flatMap(sectionLines),
    toLine("footer", age),
    toLine("footer", stop),
  ];
}

function tableLines({ change, columns, rows, omitted }: DigestTable): Line[] {
  return [
    ...(change ? [toLine("change", changeWords[change])] : []),
    ...rows.map(([name, ...values]) => {
      const details = values.flatMap((value, index) =>
        value === "" ? [] : `${clean(columns[index + 1] ?? "")}: ${clean(value)}`,
      );
      return toLine("row", name || "–", details.join(" · "));
    }),
    ...(omitted > 0 ? [toLine("small", `and ${omitted} more`)] : []),
  ];
}

function toText({ kind, text, more }: Line): string {
  if (kind === "row") return `- ${text}${more === undefined ? "" : ` · ${more}`}`;
  if (kind === "link") return `\n${text}: ${more}`;
  if (kind === "title") return `\n${text}\n${"-".repeat(Math.min(text.length, 72))}`;
  if (kind === "change") return `\n${text}:`;
  return kind === "footer" ? `\n${text}` : text;
}

function toPage(lines: readonly Line[]): string {
  const body = lines.map(({ kind, text, more }) => {
    const row = html`<b>${text}</b>${more && html`<br>${more}`}`;
    const content = kind === "link" ? html`<a href="${more}">${text}</a>` : kind === "row" ? row : text;
    return html`<p style="${looks[kind].css}">${content}</p>\n`;
  });
  const css =
    "margin:0 auto;padding:16px;max-width:640px;overflow-wrap:anywhere;font:15px/1.45 Arial,sans-serif;color:#1a1a1a;background:#fff";
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="${css}">
${body}</body>
</html>
`.text;
}

function toSlack(lines: readonly Line[]): object {
  const text = lines.map(({ kind, text, more = "" }) => {
    if (kind === "link") return `<${escapeEntities(more).replaceAll("|", "%7C")}|${text}>`;
    const marked = `${looks[kind].mark}${escapeMarks(text)}${looks[kind].mark}`;
    if (kind === "row") return `• ${marked} ${escapeMarks(more)}`.trimEnd();
    return kind === "title" ? `\n${marked}` : marked;
  });
  return { text: text.join("\n") };
}

/** Formatting marks and mentions can't be escaped, so zero-width spaces separate them from words. */
function escapeMarks(text: string): string {
  return escapeEntities(text).replace(/[*_~`[\]]|(?<!\w)@/g, "\u200b$&\u200b");
}

function escapeEntities(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * Wraps an Adaptive Card as the trigger "When a Teams webhook request is received" expects it. Text runs are not
 * parsed, so names need no escaping.
 */
function toTeams(lines: readonly Line[]): object {
  const body = lines.map(({ kind, text, more }) => {
    if (kind === "link")
      return { type: "ActionSet", actions: [{ type: "Action.OpenUrl", title: text, url: more }] };
    const run = { type: "TextRun", text, ...looks[kind].card };
    const details = more === undefined ? [] : [{ type: "TextRun", text: ` ${more}` }];
    const isTitle = kind === "title" && { separator: true, spacing: "Large" };
    return { type: "RichTextBlock", ...isTitle, inlines: [run, ...details] };
  });
  const $schema = "http://adaptivecards.io/schemas/adaptive-card.json";
  const content = { $schema, type: "AdaptiveCard", version: "1.2", msteams: { width: "Full" }, body };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content }] };
}
