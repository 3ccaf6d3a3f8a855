import { type Html, html } from "../../../report/html/html.ts";
import type { Digest } from "../messages/digest.ts";
import { type DigestLine, toLines } from "../messages/digest-lines.ts";

/** Renders a digest as plain text and as HTML without style sheets, images or scripts. */
export function renderMail(digest: Digest): { subject: string; text: string; html: string } {
  const lines = toLines(digest);
  return { subject: lines[0]?.text ?? "", text: `${lines.map(toText).join("\n")}\n`, html: toPage(lines) };
}

function toText(line: DigestLine): string {
  switch (line.kind) {
    case "row":
      return line.details === "" ? `- ${line.text}` : `- ${line.text} (${line.details})`;
    case "link":
      return `\n${line.text}: ${line.url}`;
    case "title":
      return `\n${line.text}\n${"-".repeat(Math.min(line.text.length, 72))}`;
    case "change":
      return `\n${line.text}:`;
    case "footer":
      return `\n${line.text}`;
    default:
      return line.text;
  }
}

const styles = {
  headline: "margin:0 0 8px;font-size:18px;font-weight:bold",
  title: "margin:24px 0 4px;padding-top:12px;border-top:1px solid #ccc;font-size:16px;font-weight:bold",
  text: "margin:4px 0",
  change: "margin:12px 0 4px;font-weight:bold",
  small: "margin:4px 0;color:#595959;font-size:13px",
  footer: "margin:16px 0 0;color:#595959;font-size:13px",
  row: "margin:6px 0;padding-left:10px;border-left:3px solid #ccc",
  link: "margin:12px 0",
} as const;

function toPage(lines: readonly DigestLine[]): string {
  const body = lines.map((line) => html`<p style="${styles[line.kind]}">${toContent(line)}</p>\n`);
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="margin:0 auto;padding:16px;max-width:640px;overflow-wrap:anywhere;font:15px/1.45 Arial,sans-serif;color:#1a1a1a;background:#fff">
${body}</body>
</html>
`.text;
}

function toContent(line: DigestLine): Html {
  if (line.kind === "link") return html`<a href="${line.url}">${line.text}</a>`;
  if (line.kind !== "row") return html`${line.text}`;
  const details = line.details === "" ? undefined : html`<br>${line.details}`;
  return html`<b>${line.text}</b>${details}`;
}
