import { describePage } from "../../src/report/html/describe-page.ts";
import type { ReportPage } from "../../src/report/html/report-page.ts";
import type { ReportRequest } from "../../src/report/options/report-options.ts";
import type { PublishedMart } from "../../src/report/published/published-mart.ts";
import { runReport } from "../../src/report/run-report.ts";

/** The content of a report's page, other than its rows. */
export async function pageOf(mart: PublishedMart, request: ReportRequest, now: Date): Promise<ReportPage> {
  return (await describePage(await runReport(mart, request, now))) as ReportPage;
}
