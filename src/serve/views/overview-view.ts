import type { Link } from "../../report/address/address.ts";
import { withDefaultGrouping } from "../../report/address/drill-down.ts";
import { getFigure } from "../../report/figures.ts";
import { describePage } from "../../report/html/describe-page.ts";
import { renderDataBar, renderNavigation, renderPage } from "../../report/html/frame/render-page.ts";
import { type Html, html } from "../../report/html/html.ts";
import { renderOverview } from "../../report/html/render-overview.ts";
import { buildStatement } from "../../report/options/build-statement.ts";
import { parseReportOptions } from "../../report/options/parse-report-options.ts";
import { buildOverview, summarizeAssessments } from "../../report/overview/overview.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import { runReport } from "../../report/run-report.ts";
import { formatCount, formatMoment } from "../../report/text/readable-text.ts";
import { formatReportTitle } from "../../report/text/titles.ts";
import type { Run } from "../../state/data/runs.ts";
import { renderVersionNote } from "../frame/crumbs.ts";
import type { ViewContext } from "../readers.ts";

/** Renders the first page: status, worst findings, freshness of each source, and recent runs. */
export async function showOverview({
  lease,
  now,
  link,
  custom,
  freshness,
  listRuns,
}: ViewContext): Promise<string> {
  const { mart } = lease;
  const overview = await buildOverview(mart, now, freshness);
  return renderPage({
    title: "Overview",
    version: mart.version,
    isServed: true,
    body: [
      html`${renderNavigation("overview", (view) => link(withDefaultGrouping({ view, words: {} })), custom)}${renderVersionNote(lease, { view: "", words: {} })}<header>
<h1>Overview</h1>
<p class="headline">${summarizeAssessments(overview.assessments)}</p>
</header>
`,
      renderDataBar({ dataAsOf: mart.dataAsOf, coverage: undefined, figures: [getFigure("data_as_of")] }),
      html`<main>
${renderOverview(overview, link)}
${await renderAnswers(mart, now, link)}
${await renderFreshness(mart, link)}
${renderRuns(await listRuns())}</main>
`,
    ],
  });
}

/** Reports that have no status on this page. */
const answered = ["stores", "delivery", "schedule"] as const;

/** Renders the headlines of further reports. */
async function renderAnswers(mart: PublishedMart, now: Date, link: Link): Promise<Html> {
  const items: Html[] = [];
  for (const view of answered) {
    const { words } = withDefaultGrouping({ view, words: {} });
    const request = parseReportOptions({ report: view, ...(words.by && { by: [words.by] }) });
    const page = await describePage(await runReport(mart, request, now), link, { hasCharts: false });
    items.push(
      html`<li><a href="${link({ view, words })}">${formatReportTitle(view)}</a>: ${page?.headline}</li>\n`,
    );
  }
  return html`<section aria-labelledby="answers"><h2 id="answers">More answers</h2>
<ul class="runs">${items}</ul></section>
`;
}

const sourceNames: Readonly<Record<string, string>> = {
  export: "History, exports",
  walk: "History, walks",
  file: "History, files",
  devices: "Devices",
  campaigns: "Campaigns",
  assets: "Assets",
  notices: "Service notices",
  components: "Service components",
};

/** Renders the oldest response for each type of source; the quality report lists every source. */
async function renderFreshness(mart: PublishedMart, link: Link): Promise<Html> {
  const found = await mart.all<{
    source: string;
    sources: number;
    unanswered: number;
    requested_at: string | null;
  }>(...buildStatement("sources", {}));
  const rows = found.map(({ source, sources, unanswered, requested_at }) => {
    const oldest = requested_at === null ? "never" : formatMoment(requested_at);
    const missing = Number(unanswered) > 0 ? `, ${formatCount(unanswered)} never complete` : "";
    return html`<tr><td>${sourceNames[source] ?? source}</td><td>${oldest}</td><td class="number">${formatCount(sources)}${missing}</td></tr>\n`;
  });
  return html`<section aria-labelledby="fresh"><h2 id="fresh">Data freshness by source</h2>
<div class="scroll" role="region" tabindex="0" aria-labelledby="fresh"><table>
<thead><tr><th scope="col">Source</th><th scope="col">Oldest response in use</th><th scope="col" class="number">Sources</th></tr></thead>
<tbody>
${rows}</tbody></table></div>
<p><a href="${link({ view: "quality", words: {} })}">See all sources in Quality</a></p></section>
`;
}

function renderRuns(runs: readonly Run[]): Html | undefined {
  if (runs.length === 0) return undefined;
  return html`<section aria-labelledby="runs"><h2 id="runs">Recent runs</h2>
<ul class="runs">${runs.map(
    ({ command, status, started_at, note }) =>
      html`<li><b>${command}</b>, ${formatMoment(started_at)}: ${status}${note ? html`. ${note}` : undefined}</li>\n`,
  )}</ul></section>
`;
}
