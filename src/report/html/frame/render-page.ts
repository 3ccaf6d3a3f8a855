import { createHash } from "node:crypto";
import { softwareVersion } from "../../../util/files/package-files.ts";
import { type Html, html, Html as Markup } from "../html.ts";
import { pageScript, pageStyle } from "./assets.ts";

export interface PageParts {
  title: string;
  /** Of what is published, e.g. `v000007`. */
  version: string | undefined;
  body: readonly Html[];
  /** Answered by `venue serve`, whose header bears its policy. @default a file, which bears it itself */
  isServed?: boolean;
}

/**
 * A whole document. It may load nothing, from anywhere; it may run and be styled by exactly the script and style
 * that it brings along.
 */
export function renderPage({ title, version, body, isServed = false }: PageParts): string {
  const policy = isServed
    ? undefined
    : html`<meta http-equiv="Content-Security-Policy" content="${new Markup(pagePolicy("'none'"))}">\n`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${policy}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(pageStyle)}</style>
</head>
<body>
${body}
<footer><p>${version === undefined ? "Written" : `Published version ${version}, written`} by venue-analytics ${softwareVersion()}.</p></footer>
<script>${new Markup(pageScript)}</script>
</body>
</html>
`.text;
}

/** What a page may load and run: nothing but the style and the script that it brings along. */
export function pagePolicy(formAction: "'none'" | "'self'"): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(pageScript)}'`,
    `style-src '${hashOf(pageStyle)}'`,
    "base-uri 'none'",
    `form-action ${formAction}`,
  ].join("; ");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
