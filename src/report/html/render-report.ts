import { figureOf } from "../figures.ts";
import type { FormatOptions } from "../format/formatter.ts";
import { gatherWorst } from "../format/gather-rows.ts";
import type { Report, ReportRow } from "../report.ts";
import type { ReportName } from "../report-name.ts";
import { countText, periodText } from "../text/readable-text.ts";
import { scopeOf } from "../text/titles.ts";
import { renderChart } from "./charts/render-chart.ts";
import {
  pagesInFolder,
  renderNavigation,
  renderPage,
  renderPrintedMeanings,
  renderTrust,
} from "./frame/render-page.ts";
import { type Html, html } from "./html.ts";
import { type CellLink, renderRows, type Sorting } from "./render-rows.ts";
import type { Breakdown, Fact, ReportPage } from "./report-page.ts";
import { renderSideBySide } from "./side-by-side.ts";

export interface ReportParts {
  report: Report;
  page: ReportPage | undefined;
  /** The report's first rows. */
  rows: readonly ReportRow[];
  rowCount: number;
  /** CSV file of every row in the page's folder, as a relative path. */
  csvFile: string | undefined;
  siblingPages?: readonly string[] | undefined;
  hrefOf?: CellLink | undefined;
  /** Surroundings of a served page. @default none, for a file */
  frame?: PageFrame | undefined;
}

export interface PageFrame {
  /** Navigation and breadcrumb. */
  top: Html;
  /** Downloads. */
  bottom: Html;
  search?: Html;
  sorting?: Sorting;
}

/** Tables with more columns are printed in landscape. */
const broadFrom = 10;

export function renderReport({
  report,
  page,
  rows,
  rowCount,
  csvFile,
  siblingPages,
  hrefOf,
  frame,
}: ReportParts): string {
  const { name, title, period, dataAsOf, version, columns, ratio, isOrdered, notes } = report;
  const facts = page?.facts ?? [];
  const names = [...facts.map(({ figure }) => figure), ...columns.map((column) => column.name), "data_as_of"];
  const figures = names.map((figure) => figureOf(figure, name));
  const charts = page?.charts.map((chart, index) => renderChart(chart, `chart-${index + 1}`));
  // The headline may already contain a note.
  const notesBelowHeadline = notes.filter((note) => !page?.headline.includes(note));
  const scope = scopeOf(report).join(" · ");
  return renderPage({
    title: page?.heading ?? (period ? `${title}, ${periodText(period)}` : title),
    version,
    isServed: frame !== undefined,
    body: [
      frame?.top ?? (siblingPages ? renderNavigation(name ?? "", pagesInFolder(siblingPages)) : html``),
      html`<header>
<h1>${page?.heading ?? title}</h1>
${page && html`<p class="headline">${page.headline}</p>`}
${scope && html`<p class="scope">${scope}</p>`}
${notesBelowHeadline.length > 0 ? html`<div class="notes" role="note">${notesBelowHeadline.map((note) => html`<p>${note}</p>`)}</div>` : undefined}
</header>
`,
      renderTrust({ dataAsOf, coverage: page?.coverage, figures }),
      html`<main>
${renderFacts(facts, name)}
${charts}
${page?.breakdown && renderBreakdown(page.breakdown)}
${rowCount > rows.length ? undefined : renderSideBySide(report, rows, hrefOf)}
<section class="rows${columns.length > broadFrom ? " broad" : ""}" aria-labelledby="rows">
<h2 id="rows">${title}</h2>
<div class="tools">
${frame ? frame.search : html`<label hidden>Filter <input type="search" data-filter autocomplete="off" spellcheck="false" placeholder="text in any column"></label>`}
<p role="status" data-said>${rowsText(rows.length)}</p>
<p class="unprinted" data-hint hidden>Further columns: scroll the table sideways →</p>
${csvLink(csvFile)}
</div>
${rowCount > rows.length ? (frame ? renderServedCut(rows.length) : renderCut(rows.length, rowCount, csvFile)) : undefined}
${
  rows.length === 0
    ? html`<p>${explainMissingRows(report)}</p>`
    : html`<div class="scroll" role="region" tabindex="0" aria-label="${title}, as a table">
${renderRows(columns, rows, title, { report: name, ratio, isOrdered, hrefOf: (column, row) => page?.hrefOf?.(column.name, row) ?? hrefOf?.(column, row), sorting: frame?.sorting })}
</div>`
}
</section>
${frame?.bottom}${renderPrintedMeanings(figures)}</main>
`,
    ],
  });
}

function explainMissingRows({ name, filters }: Report): string {
  if (name === undefined) return "The query returned no rows.";
  if (filters.length === 0) return "No rows; the reason is at the top.";
  return `No rows match: ${filters.join(", ")}.`;
}

function csvLink(csvFile: string | undefined): Html | undefined {
  if (csvFile === undefined) return undefined;
  return html`<p class="unprinted"><a href="${encodeURI(csvFile)}" download>All rows as CSV: ${csvFile}</a></p>`;
}

function renderServedCut(shown: number): Html {
  return html`<div class="notes" role="note"><p>These are the first ${countText(shown)} rows; there are more. <a href="#take">Download</a> has all of them.</p></div>`;
}

function renderCut(shown: number, all: number, csvFile: string | undefined): Html {
  const other =
    csvFile === undefined
      ? html`<code>--format csv</code> writes every row.`
      : html`<code>${csvFile}</code> holds every row.`;
  return html`<div class="notes" role="note"><p>These are the first ${countText(shown)} of ${countText(all)} rows. ${other}</p></div>`;
}

function rowsText(rows: number): string {
  return `${countText(rows)} ${rows === 1 ? "row" : "rows"}`;
}

function renderBreakdown({ title, text, headings, rows }: Breakdown): Html {
  const [name, value, meaning] = headings;
  return html`<section aria-labelledby="sorts"><h2 id="sorts">${title}</h2>
<p class="scope">${text}</p>
<div class="scroll" role="region" tabindex="0" aria-labelledby="sorts"><table>
<thead><tr><th scope="col">${name}</th><th scope="col" class="number">${value}</th><th scope="col">${meaning}</th></tr></thead>
<tbody>
${rows.map(
  (row) =>
    html`<tr><td>${row.href === undefined ? row.name : html`<a href="${row.href}">${row.name}</a>`}</td><td class="number">${row.value}</td><td>${row.text}</td></tr>\n`,
)}</tbody></table></div></section>
`;
}

export function renderFacts(facts: readonly Fact[], report?: ReportName): Html | undefined {
  if (facts.length === 0) return undefined;
  return html`<ul class="facts">${facts.map((fact) => renderFact(fact, report))}</ul>`;
}

function renderFact({ figure, value, note, href }: Fact, report: ReportName | undefined): Html {
  return html`<li><span class="label">${figureOf(figure, report).label}</span><span class="value">${href === undefined ? value : html`<a href="${href}">${value}</a>`}</span>${
    note ? html`<span class="note">${note}</span>` : undefined
  }</li>`;
}

/** Maximum rows of a file: longer reports are for spreadsheets or SQL. */
const shownRows = 5_000;
/** Maximum rows of a served page, which sorts and searches all rows. */
const servedRows = 500;

/** Streams a self-contained page, which loads nothing. It contains at most 5,000 rows. */
export async function* formatHtml(
  report: Report,
  { csvFile, siblingPages, ...served }: FormatOptions & Pick<ReportParts, "frame"> = {},
): AsyncIterable<string> {
  const most = served.frame ? servedRows : shownRows;
  // Counting millions of rows would delay a served page.
  const { rows, rowCount } = await gatherWorst(report, most, { countsAll: !served.frame });
  const page = await report.describe?.();
  yield renderReport({ report, page, rows, rowCount, csvFile, siblingPages, ...served });
}
