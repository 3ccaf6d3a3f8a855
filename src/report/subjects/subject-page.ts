import type { Link } from "../address/address.ts";
import { createNameLinks } from "../address/folder-links.ts";
import { getFigure } from "../figures.ts";
import { gatherWorst } from "../format/gather-rows.ts";
import type { Chart } from "../html/charts/chart.ts";
import { renderChart } from "../html/charts/render-chart.ts";
import {
  linkPagesInFolder,
  renderDataBar,
  renderNavigation,
  renderPage,
  renderPrintedDefinitions,
  type Siblings,
} from "../html/frame/render-page.ts";
import { type Html, html } from "../html/html.ts";
import { renderFacts } from "../html/render-report.ts";
import { renderRows } from "../html/render-rows.ts";
import type { Fact } from "../html/report-page.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { describeScope } from "../text/titles.ts";
import type { Table } from "./subject-tables.ts";

export interface SubjectPage {
  title: string;
  /** Results, one sentence each. */
  answers: readonly string[];
  coverage: string | undefined;
  facts: readonly Fact[];
  charts: readonly Chart[];
  /** Rows of reports about it; empty sections are left out. */
  sections: readonly { title: string; table: Table | undefined }[];
}

/** Maximum rows of a section, worst first. */
const maxRows = 1_000;

/** @param siblings pages in the parent folder, which has an index */
export async function renderSubject(
  { title, answers, coverage, facts, charts, sections }: SubjectPage,
  {
    mart,
    link,
    siblings,
  }: { mart: Pick<PublishedMart, "dataAsOf" | "version">; link: Link; siblings: Siblings },
): Promise<string> {
  const pageOf = linkPagesInFolder(siblings);
  const shown = sections.flatMap(({ title: heading, table }) => (table ? [{ heading, table }] : []));
  const figures = [
    ...facts.map(({ figure }) => getFigure(figure)),
    ...shown.flatMap(({ table: { report } }) =>
      report.columns.map(({ name }) => getFigure(name, report.name)),
    ),
    getFigure("data_as_of"),
  ];
  const rendered: Html[] = [];
  for (const { heading, table } of shown) rendered.push(await renderSection(heading, table, link));
  return renderPage({
    title,
    version: mart.version,
    body: [
      renderNavigation(
        "",
        (view) => {
          const file = pageOf(view);
          return file && `../${file}`;
        },
        siblings.own,
      ),
      html`<header>
<h1>${title}</h1>
${answers.map((answer) => html`<p class="headline">${answer}</p>`)}
</header>
`,
      renderDataBar({ dataAsOf: mart.dataAsOf, coverage, figures }),
      html`<main>
${renderFacts(facts)}
${charts.map((chart, index) => renderChart(chart, `chart-${index + 1}`))}
${rendered}${renderPrintedDefinitions(figures)}</main>
`,
    ],
  });
}

async function renderSection(heading: string, { request, report, rows }: Table, link: Link): Promise<Html> {
  const { name, columns, ratio } = report;
  const worst = await gatherWorst({ ...report, rows }, maxRows, { countsAll: true });
  const scope = describeScope({ ...report, filters: [] }).join(" · ");
  return html`<section class="rows" aria-label="${heading}">
<h2>${heading}</h2>
${scope && html`<p class="scope">${scope}</p>`}
<div class="scroll" role="region" tabindex="0" aria-label="${heading}, as a table">
${renderRows(columns, worst.rows, heading, { report: name, ratio, hrefOf: createNameLinks(report, request, link) })}
</div>
</section>
`;
}
