import { figureOfColumn, getFigure } from "../figures.ts";
import type { FormatOptions } from "../format/formatter.ts";
import { gatherWorst } from "../format/gather-rows.ts";
import type { ReportName } from "../report-name.ts";
import type { Report, ReportRow } from "../result-types.ts";
import { formatCount, formatPeriod } from "../text/readable-text.ts";
import { describeScope } from "../text/titles.ts";
import { renderChart } from "./charts/render-chart.ts";
import { describePage } from "./describe-page.ts";
import {
  linkPagesInFolder,
  renderDataBar,
  renderNavigation,
  renderPage,
  renderPrintedDefinitions,
  type Siblings,
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
  siblings?: Siblings | undefined;
  hrefOf?: CellLink | undefined;
  /** Content around a served page. @default none, for a file */
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
const landscapeFrom = 10;
/** On screen, longer tables show ten rows until the reader chooses all, so that charts stay close. */
const maxUnfoldedRows = 15;

export function renderReport({
  report,
  page,
  rows,
  rowCount,
  csvFile,
  siblings,
  hrefOf,
  frame,
}: ReportParts): string {
  const { name, title, period, dataAsOf, version, columns, ratio, isOrdered, notes } = report;
  const facts = page?.facts ?? [];
  const figures = [
    ...facts.map(({ figure }) => getFigure(figure, name)),
    ...columns.map((column) => figureOfColumn(column, name)),
    getFigure("data_as_of"),
  ];
  const charts = page?.charts.map((chart, index) => renderChart(chart, `chart-${index + 1}`));
  // A note that the headline already contains is not repeated.
  const notesBelowHeadline = notes.filter((note) => !page?.headline.includes(note));
  const scope = describeScope(report).join(" · ");
  return renderPage({
    title: page?.heading ?? (period ? `${title}, ${formatPeriod(period)}` : title),
    version,
    isServed: frame !== undefined,
    body: [
      frame?.top ??
        (siblings ? renderNavigation(viewOf(report), linkPagesInFolder(siblings), siblings.custom) : html``),
      html`<header>
<h1>${page?.heading ?? title}</h1>
${page && html`<p class="headline">${page.headline}</p>`}
${scope && html`<p class="scope">${scope}</p>`}
${notesBelowHeadline.length > 0 ? html`<div class="notes" role="note">${notesBelowHeadline.map((note) => html`<p>${note}</p>`)}</div>` : undefined}
</header>
`,
      renderDataBar({ dataAsOf, coverage: page?.coverage, figures }),
      html`<main>
${renderFacts(facts, name)}
${page?.breakdown && renderBreakdown(page.breakdown)}
${rowCount > rows.length ? undefined : renderSideBySide(report, rows, hrefOf)}
<section class="rows${columns.length > landscapeFrom ? " broad" : ""}" aria-labelledby="rows">
<h2 id="rows">${title}</h2>
<div class="tools">
${frame ? frame.search : html`<label hidden>Filter <input type="search" data-filter autocomplete="off" spellcheck="false" placeholder="text in any column"></label>`}
<p role="status" data-status>${formatRows(rows.length)}</p>
<p class="unprinted" data-hint hidden>More columns: scroll the table sideways →</p>
${renderCsvLink(csvFile)}
</div>
${rowCount > rows.length ? (frame ? renderServedRowLimit(rows.length) : renderRowLimit(rows.length, rowCount, csvFile)) : undefined}
${
  rows.length === 0
    ? html`<p>${explainNoRows(report)}</p>`
    : html`<div class="scroll" role="region" tabindex="0" aria-label="${title}, as a table">
${renderRows(columns, rows, title, { report: name, ratio, isOrdered, hrefOf: (column, row) => page?.hrefOf?.(column.name, row) ?? hrefOf?.(column, row), sorting: frame?.sorting })}
</div>
${charts?.length && rows.length > maxUnfoldedRows ? html`<label class="unfold unprinted"><input type="checkbox" data-unfold> Show all ${formatCount(rows.length)} rows</label>` : undefined}`
}
</section>
${frame?.bottom}${charts}
${renderPrintedDefinitions(figures)}</main>
`,
    ],
  });
}

function viewOf({ name, customName }: Report): string {
  return customName ?? name ?? "";
}

function explainNoRows({ name, filters }: Report): string {
  if (name === undefined) return "The query returned no rows.";
  if (filters.length === 0) return "No rows. The note at the top explains why.";
  return `No rows match these filters: ${filters.join(", ")}.`;
}

function renderCsvLink(csvFile: string | undefined): Html | undefined {
  if (csvFile === undefined) return undefined;
  return html`<p class="unprinted"><a href="${encodeURI(csvFile)}" download>All rows as CSV: ${csvFile}</a></p>`;
}

function renderServedRowLimit(shown: number): Html {
  return html`<div class="notes" role="note"><p>Only the first ${formatCount(shown)} rows are shown. <a href="#download">Download all rows</a>.</p></div>`;
}

function renderRowLimit(shown: number, all: number, csvFile: string | undefined): Html {
  const other =
    csvFile === undefined
      ? html`<code>--format csv</code> writes all rows.`
      : html`<code>${csvFile}</code> contains all rows.`;
  return html`<div class="notes" role="note"><p>The first ${formatCount(shown)} of ${formatCount(all)} rows are shown. ${other}</p></div>`;
}

function formatRows(rows: number): string {
  return `${formatCount(rows)} ${rows === 1 ? "row" : "rows"}`;
}

function renderBreakdown({ title, text, headings, rows }: Breakdown): Html {
  const [name, value, meaning] = headings;
  return html`<section aria-labelledby="reasons"><h2 id="reasons">${title}</h2>
<p class="scope">${text}</p>
<div class="scroll" role="region" tabindex="0" aria-labelledby="reasons"><table>
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
  return html`<li><span class="label">${getFigure(figure, report).label}</span><span class="value">${href === undefined ? value : html`<a href="${href}">${value}</a>`}</span>${
    note ? html`<span class="note">${note}</span>` : undefined
  }</li>`;
}

/** Maximum rows of a file. Longer reports are for spreadsheets or SQL. */
const maxFileRows = 5_000;
/** Maximum rows of a served page, which sorts and searches all rows. */
export const maxServedRows = 500;

/** Streams a self-contained page of at most 5,000 rows. It loads no other resources. */
export async function* formatHtml(report: Report, options: FormatOptions = {}): AsyncIterable<string> {
  yield (await createPage(report, options)).text;
}

/** Reads a report's rows, describes it, and renders both. */
export async function createPage(
  report: Report,
  { csvFile, siblings, link, ...served }: FormatOptions & Pick<ReportParts, "frame"> = {},
): Promise<{ text: string; page: ReportPage | undefined }> {
  const limit = served.frame ? maxServedRows : maxFileRows;
  // Counting millions of rows would delay a served page.
  const { rows, rowCount } = await gatherWorst(report, limit, { countsAll: !served.frame });
  const page = await describePage(report, link);
  return { text: renderReport({ report, page, rows, rowCount, csvFile, siblings, ...served }), page };
}
