import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot, softwareVersion } from "../../../util/files/package-files.ts";
import type { Figure } from "../../figures.ts";
import type { Report } from "../../report.ts";
import { reportNames } from "../../report-name.ts";
import { momentText } from "../../text/people-text.ts";
import { reportTitle } from "../../text/titles.ts";
import { darkRules, palette } from "../charts/chart.ts";
import { type Html, html, Html as Markup } from "../html.ts";

interface PageParts {
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

/** Where the page of a view lies; the overview is called "". Nowhere: `undefined`. */
type PageOf = (view: string) => string | undefined;

/** The first word of each page, and where one is. Views that lie nowhere are left out. */
export function renderNavigation(current: string, pageOf: PageOf): Html {
  return html`<nav class="views" aria-label="Views"><div>
${["overview", ...reportNames].map((view) => {
  const href = pageOf(view === "overview" ? "" : view);
  if (href === undefined) return undefined;
  const isHere = view === current;
  return html`<a href="${href}"${isHere ? html` aria-current="page"` : undefined}>${reportTitle(view)}</a>\n`;
})}</div></nav>
`;
}

/** The pages of one run, which lie in one folder with their index. */
export function pagesInFolder(written: readonly string[]): PageOf {
  return (view) => (view === "" ? "index.html" : written.includes(view) ? `${view}.html` : undefined);
}

interface Trust extends Pick<Report, "dataAsOf"> {
  coverage: string | undefined;
  figures: readonly Figure[];
}

/** What stays in sight while the page is read: how fresh and how whole the data is, and what each figure means. */
export function renderTrust({ dataAsOf, coverage, figures }: Trust): Html {
  return html`<section class="trust" aria-label="How fresh and how whole the data is"><div>
<p>Data as of <b>${dataAsOf === null ? "unknown" : momentText(dataAsOf)}</b></p>
${coverage === undefined ? undefined : html`<p>Coverage: <b>${coverage}</b></p>`}
<details class="unprinted"><summary>What the figures mean</summary>
<div class="meanings" role="region" tabindex="0" aria-label="What the figures mean">${renderDefinitions(figures)}</div></details>
</div></section>
`;
}

/** The same at the end of a printed page, where nobody clicks: what was asked for comes first. */
export function renderPrintedMeanings(figures: readonly Figure[]): Html {
  return html`<section class="printed" aria-labelledby="meanings"><h2 id="meanings">What the figures mean</h2>
<div class="meanings">${renderDefinitions(figures)}</div></section>
`;
}

/** Each once; those of several reports may share a name, and mean something else. */
function renderDefinitions(figures: readonly Figure[]): Html {
  const explained = new Map(figures.map((figure) => [`${figure.name} ${figure.definition}`, figure]));
  return html`<dl>${[...explained.values()].filter(({ definition }) => definition).map(renderDefinition)}</dl>`;
}

function renderDefinition({ name, label, definition }: Figure): Html {
  return html`<dt>${label} <code>${name}</code></dt><dd>${definition}</dd>\n`;
}

const folder = join(packageRoot, "src", "report", "html", "assets");
const variables = ["ink", "muted", "line", "paper", "paleGrey", "blue", "amber", "orange"] as const;

/** The style of every page: `page.css` with the palette's colours. The page's policy allows exactly this text. */
const pageStyle: string = `
:root{color-scheme:light;${colours("light")}}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${colours("dark")}}${darkRules()}}
${readFileSync(join(folder, "page.css"), "utf8")}`;

/** The script of every page. The page's policy allows exactly this text; without it, tables stay as written. */
const pageScript: string = readFileSync(join(folder, "page.js"), "utf8");

function colours(shade: "light" | "dark"): string {
  return variables.map((name) => `--${name}:${palette[name][shade]};`).join("");
}
