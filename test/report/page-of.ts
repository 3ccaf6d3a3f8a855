import { renderChart } from "../../src/report/html/charts/render-chart.ts";
import { describePage } from "../../src/report/html/describe-page.ts";
import type { ReportPage } from "../../src/report/html/report-page.ts";
import type { ReportRequest } from "../../src/report/options/request-options.ts";
import type { PublishedMart } from "../../src/report/published/published-mart.ts";
import { runReport } from "../../src/report/run-report.ts";

/** The content of a report's page, other than its rows. */
export async function pageOf(mart: PublishedMart, request: ReportRequest, now: Date): Promise<ReportPage> {
  return (await describePage(await runReport(mart, request, now))) as ReportPage;
}

/** Everything that a page shows above its rows, as lines; charts as their tables. */
export function textOf({ heading, headline, coverage, facts, charts, breakdown }: ReportPage): string {
  const lines = [
    ...(heading ? [`# ${heading}`] : []),
    headline,
    `coverage: ${coverage}`,
    ...facts.map(({ figure, value, note }) => `${figure}: ${value}${note ? ` (${note})` : ""}`),
    ...charts.flatMap((chart) => [
      `${chart.title} (${chart.kind}): ${chart.summary}`,
      ...tableOf(renderChart(chart, "chart").text).map((row) => `  ${row}`),
    ]),
    ...(breakdown
      ? [breakdown.title, ...breakdown.rows.map(({ name, value }) => `  ${name} | ${value}`)]
      : []),
  ];
  return lines.join("\n").replaceAll("\u00a0", " ");
}

function tableOf(markup: string): string[] {
  return Array.from(markup.matchAll(/<tr>(.*?)<\/tr>/gs), ([, row = ""]) =>
    Array.from(row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs), ([, cell = ""]) =>
      cell.replaceAll(/<[^>]*>/g, ""),
    ).join(" | "),
  );
}
