import { addressText, type Link } from "../../report/address/address.ts";
import { figureOf } from "../../report/figures.ts";
import { type Html, html } from "../../report/html/html.ts";
import { renderNavigation } from "../../report/html/render-navigation.ts";
import { renderOverview } from "../../report/html/render-overview.ts";
import { renderPage } from "../../report/html/render-page.ts";
import { renderRows } from "../../report/html/render-rows.ts";
import { renderTrust } from "../../report/html/trust-bar.ts";
import { reportStatement } from "../../report/options/report-statement.ts";
import { makeOverview } from "../../report/overview/overview.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import type { ReportRow } from "../../report/report.ts";
import { momentText } from "../../report/text/people-text.ts";
import type { Run } from "../../state/runs.ts";
import { renderVersionNote } from "../frame/render-version-note.ts";
import { inVersion } from "../requests/asked-view.ts";
import type { Shown } from "../requests/readers.ts";

/** The first page: how it stands, the worst three things, how fresh each source is, what the last runs did. */
export async function showOverview({ taken, now, listRuns }: Shown): Promise<string> {
  const { mart } = taken;
  const link: Link = (address) => `/${addressText(inVersion(address, mart.version))}`;
  const overview = await makeOverview(mart, now);
  return renderPage({
    title: "Overview",
    version: mart.version,
    isServed: true,
    body: [
      html`${renderNavigation("overview", (view) => link({ view, words: {} }))}${renderVersionNote(taken, { view: "", words: {} })}<header>
<h1>venue-analytics</h1>
<p class="headline">Overview</p>
</header>
`,
      renderTrust({ dataAsOf: mart.dataAsOf, coverage: undefined, figures: [figureOf("data_as_of")] }),
      html`<main>
${renderOverview(overview, link)}
${await renderFreshness(mart, now)}
${renderRuns(await listRuns())}</main>
`,
    ],
  });
}

const freshnessFiles = ["quality/20_freshness", "quality/25_listing_freshness"];
const freshnessColumns = [
  { name: "subject", type: "text" },
  { name: "value", type: "text" },
  { name: "note", type: "text" },
] as const;

async function renderFreshness(mart: PublishedMart, now: Date): Promise<Html> {
  const rows: ReportRow[] = [];
  for (const file of freshnessFiles) {
    const found = await mart.all<Record<string, string | null>>(...reportStatement(file, { now }));
    rows.push(...found.map((row) => freshnessColumns.map(({ name }) => row[name] ?? null)));
  }
  return html`<section aria-labelledby="fresh"><h2 id="fresh">How fresh each source is</h2>
<div class="scroll" role="region" tabindex="0" aria-labelledby="fresh">${renderRows(freshnessColumns, rows, "How fresh each source is", { report: "quality" })}</div></section>
`;
}

function renderRuns(runs: readonly Run[]): Html | undefined {
  if (runs.length === 0) return undefined;
  return html`<section aria-labelledby="runs"><h2 id="runs">What the last runs did</h2>
<ul class="runs">${runs.map(
    ({ command, status, started_at, note }) =>
      html`<li><b>${command}</b>, ${momentText(started_at)}: ${status}${note ? html`. ${note}` : undefined}</li>\n`,
  )}</ul></section>
`;
}
