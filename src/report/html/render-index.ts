import { getFigure } from "../figures.ts";
import type { Overview } from "../overview/overview.ts";
import type { ReportName } from "../report-name.ts";
import { formatDay } from "../text/readable-text.ts";
import {
  linkPagesInFolder,
  renderDataBar,
  renderNavigation,
  renderPage,
  renderPrintedDefinitions,
} from "./frame/render-page.ts";
import { type Html, html } from "./html.ts";
import { type CustomCheck, renderChecks } from "./render-checks.ts";
import { renderOverview } from "./render-overview.ts";
import type { ReportPage } from "./report-page.ts";

export interface IndexEntry {
  name: string;
  /** Base name of its files in the index's folder: `<file>.html`, `.csv`, `.md`. @default its name */
  file?: string;
  title: string;
  page: ReportPage | undefined;
  /** Reason why a custom report has no rows. */
  problem?: string;
  /** False if a page can't have its name. @default true */
  hasPage?: boolean;
  /** True if there is a workbook, too. @default false */
  hasWorkbook?: boolean;
}

export interface IndexParts {
  /** Date of the run, `YYYY-MM-DD`. */
  date: string;
  dataAsOf: string | null;
  version: string;
  entries: readonly IndexEntry[];
  /** Custom reports. @default none */
  custom?: readonly IndexEntry[];
  /** Custom checks. @default none */
  checks?: readonly CustomCheck[];
  overview: Overview;
}

export function renderIndex({
  date,
  dataAsOf,
  version,
  entries,
  custom = [],
  checks = [],
  overview,
}: IndexParts): string {
  const title = `Reports for ${formatDay(date)}`;
  const figures = [
    ...entries.flatMap(
      ({ name, page }) => page?.facts.map(({ figure }) => getFigure(figure, name as ReportName)) ?? [],
    ),
    getFigure("data_as_of"),
  ];
  const pages = custom.filter(({ hasPage = true }) => hasPage);
  const pageOf = linkPagesInFolder({ reports: entries.map(({ name }) => name), custom: pages });
  return renderPage({
    title,
    version,
    body: [
      html`${renderNavigation("overview", pageOf, pages)}<header>
<h1>venue-analytics</h1>
<p class="headline">${title}</p>
</header>
`,
      renderDataBar({ dataAsOf, coverage: undefined, figures }),
      html`<main>
${renderOverview(overview, ({ view }) => pageOf(view))}
${renderChecks(checks)}
<ul class="reports">
${[...entries, ...custom].map(renderEntry)}</ul>
${renderPrintedDefinitions(figures)}</main>
`,
    ],
  });
}

function renderEntry({
  name,
  file = name,
  title,
  page,
  problem,
  hasPage = true,
  hasWorkbook,
}: IndexEntry): Html {
  const heading = html`<h2>${hasPage ? html`<a href="${file}.html">${title}</a>` : title}</h2>`;
  if (problem !== undefined)
    return html`<li>
${heading}
<p>This report could not be made: ${problem}</p>
</li>
`;
  const workbook = hasWorkbook ? html` · <a href="${file}.xlsx" download>as XLSX</a>` : undefined;
  return html`<li>
${heading}
${page && html`<p>${page.headline}</p>${page.coverage === undefined ? undefined : html`<p class="scope">Coverage: ${page.coverage}</p>`}`}
<p class="unprinted"><a href="${file}.csv" download>${title} as CSV</a> · <a href="${file}.md">as Markdown</a>${workbook}</p>
</li>
`;
}
