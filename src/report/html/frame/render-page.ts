import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot, softwareVersion } from "../../../util/files/package-files.ts";
import { reportNames } from "../../report-name.ts";
import type { Figure, Report } from "../../result-types.ts";
import { formatMoment } from "../../text/readable-text.ts";
import { formatReportTitle } from "../../text/titles.ts";
import { listDarkRules, palette } from "../charts/chart.ts";
import { type Html, html, Html as Markup } from "../html.ts";

interface PageParts {
  title: string;
  /** Published version, e.g. `v000007`. */
  version: string | undefined;
  body: readonly Html[];
  /** True for `venue serve`, which sends the policy as a header. @default false: the page contains it */
  isServed?: boolean;
}

/** Renders a document whose policy allows only its own script and style, and no other resources. */
export function renderPage({ title, version, body, isServed = false }: PageParts): string {
  const policy = isServed
    ? undefined
    : html`<meta http-equiv="Content-Security-Policy" content="${new Markup(createPagePolicy("'none'"))}">\n`;
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
<footer><p>${version === undefined ? "Generated" : `Published version ${version}, generated`} by venue-analytics ${softwareVersion()}.</p></footer>
<script>${new Markup(pageScript)}</script>
</body>
</html>
`.text;
}

/** Returns a policy that allows only the page's own script and style. */
export function createPagePolicy(formAction: "'none'" | "'self'"): string {
  return [
    "default-src 'none'",
    `script-src '${hashSource(pageScript)}'`,
    `style-src '${hashSource(pageStyle)}'`,
    "base-uri 'none'",
    `form-action ${formAction}`,
  ].join("; ");
}

function hashSource(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Returns the URL of a page by its name, or `undefined` if there is none. The name of the overview is "". */
type GetPage = (view: string) => string | undefined;

/** Pages that share a folder with their index. */
export interface Siblings {
  reports: readonly string[];
  custom: readonly CustomPage[];
}

export interface CustomPage {
  name: string;
  title: string;
}

/** Menu groups by page. Pages that are not listed are in the group Results. */
const menuGroups: Readonly<Record<string, "Devices" | "Data">> = {
  ...{ devices: "Devices", uptime: "Devices", outages: "Devices", silences: "Devices" },
  ...{ quality: "Data", loads: "Data", rejects: "Data" },
};

/** Renders the menu. On a phone, its groups are folded. */
export function renderNavigation(current: string, pageOf: GetPage, custom: readonly CustomPage[] = []): Html {
  const views = ["overview", ...reportNames, "proof"].map((name) => {
    return { name, title: formatReportTitle(name), group: menuGroups[name] ?? "Results" };
  });
  const entries = [...views, ...custom.map((page) => ({ ...page, group: "Custom" }))].flatMap((entry) => {
    const href = pageOf(entry.name === "overview" ? "" : entry.name);
    return href === undefined ? [] : [{ ...entry, href }];
  });
  return html`<nav class="views" aria-label="Views"><div>
${[...new Set(entries.map(({ group }) => group))].map(
  (name) => html`<details class="fold" name="views"><summary>${name}</summary><div>
${entries
  .filter(({ group }) => group === name)
  .map(
    ({ name: view, title, href }) =>
      html`<a href="${href}"${view === current ? html` aria-current="page"` : undefined}>${title}</a>\n`,
  )}</div></details>\n`,
)}</div></nav>
`;
}

/** Returns the pages of one run, which share a folder with their index. */
export function linkPagesInFolder({ reports, custom }: Siblings): GetPage {
  const written = [...reports, ...custom.map(({ name }) => name)];
  return (view) => (view === "" ? "index.html" : written.includes(view) ? `${view}.html` : undefined);
}

interface DataBarParts extends Pick<Report, "dataAsOf"> {
  coverage: string | undefined;
  figures: readonly Figure[];
}

/** Renders the bar that stays visible, with data as of, coverage, and the definition of each measure. */
export function renderDataBar({ dataAsOf, coverage, figures }: DataBarParts): Html {
  return html`<section class="trust" aria-label="Data freshness and completeness"><div>
<p>Data as of <b>${dataAsOf === null ? "unknown" : formatMoment(dataAsOf)}</b></p>
${coverage === undefined ? undefined : html`<p>Coverage: <b>${coverage}</b></p>`}
<details class="unprinted"><summary>Definitions</summary>
<div class="meanings" role="region" tabindex="0" aria-label="Definitions">${renderDefinitions(figures)}</div></details>
</div></section>
`;
}

/** Renders the definitions at the end of a printed page, where the bar's details cannot be opened. */
export function renderPrintedDefinitions(figures: readonly Figure[]): Html {
  return html`<section class="printed" aria-labelledby="meanings"><h2 id="meanings">Definitions</h2>
<div class="meanings">${renderDefinitions(figures)}</div></section>
`;
}

/** Lists each definition once; measures of several reports may have the same name but different meanings. */
function renderDefinitions(figures: readonly Figure[]): Html {
  const explained = new Map(figures.map((figure) => [`${figure.name} ${figure.definition}`, figure]));
  return html`<dl>${[...explained.values()].filter(({ definition }) => definition).map(renderDefinition)}</dl>`;
}

function renderDefinition({ name, label, definition }: Figure): Html {
  return html`<dt>${label} <code>${name}</code></dt><dd>${definition}</dd>\n`;
}

const folder = join(packageRoot, "src", "report", "html", "assets");
const variables = ["ink", "muted", "line", "paper", "paleGrey", "blue", "amber", "orange"] as const;

/** Style of every page: `page.css` with the palette's colours. The policy allows exactly this text. */
export const pageStyle: string = `
:root{color-scheme:light;${listColours("light")}}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${listColours("dark")}}${listDarkRules()}}
${readFileSync(join(folder, "page.css"), "utf8")}`;

/** Script of every page. The policy allows exactly this text; without it, tables stay as rendered. */
const pageScript: string = readFileSync(join(folder, "page.js"), "utf8");

function listColours(shade: "light" | "dark"): string {
  return variables.map((name) => `--${name}:${palette[name][shade]};`).join("");
}
