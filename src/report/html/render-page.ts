import { createHash } from "node:crypto";
import { softwareVersion } from "../../util/package-root.ts";
import { type Html, html, Html as Markup } from "./html.ts";
import { pageStyle } from "./page-style.ts";
import { tableScript } from "./table-script.ts";

export interface PageParts {
  title: string;
  /** Of what is published, e.g. `v000007`. */
  version: string;
  body: readonly Html[];
}

/**
 * A whole document. It may load nothing, from anywhere; it may run and be styled by exactly the script and style
 * that it brings along.
 */
export function renderPage({ title, version, body }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(tableScript)}'`,
    `style-src '${hashOf(pageStyle)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(pageStyle)}</style>
</head>
<body>
${body}
<footer><p>Published version ${version}, written by venue-analytics ${softwareVersion()}.</p></footer>
<script>${new Markup(tableScript)}</script>
</body>
</html>
`.text;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
