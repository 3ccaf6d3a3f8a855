import { readSql } from "../../engines/sql-file.ts";
import { pickColumns } from "../columns/pick-columns.ts";
import { byWordsOf, reportColumns } from "../columns/report-columns.ts";
import { getComplianceAsOf } from "../findings/compliance-as-of.ts";
import { noteCompliance, type ScheduledDays } from "../findings/compliance-notes.ts";
import { describeFilters, listParameter, placeParameters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { getReportedPeriod } from "../options/reported-period.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";

/** Did campaigns run where and when they were scheduled: one row per combination of what `--by` names, or one for all. */
export async function buildComplianceReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const period = await getReportedPeriod(mart, options, now);
  const dataAsOf = await getComplianceAsOf(mart, options);
  const { campaignIds = [], onlyStates = [] } = options;
  const sql = readSql("reports/compliance.sql");
  const parameters = (by: readonly string[], states: readonly string[]) => [
    period.from,
    period.to,
    ...placeParameters(options),
    ...[options.kinds, campaignIds, states].map(listParameter),
    ...byWordsOf("compliance").map((word) => by.includes(word)),
  ];
  const [total] = await mart.all<ScheduledDays>(sql, parameters([], []));
  const notes = await noteCompliance(mart, options, total);
  const stream = await mart.stream(sql, parameters(options.by, onlyStates));
  const columns = reportColumns("compliance", options.by);
  return {
    title: options.by.length > 0 ? `Compliance by ${options.by.join(", ")}` : "Compliance",
    period,
    filters: [
      ...describeFilters(options),
      ...(campaignIds.length > 0 ? [`campaign ${campaignIds.join(", ")}`] : []),
      ...(onlyStates.length > 0 ? [`only with ${onlyStates.join(" or ")} days`] : []),
    ],
    dataAsOf,
    version: mart.version,
    columns,
    ...pickColumns(stream, columns),
    notes,
  };
}
