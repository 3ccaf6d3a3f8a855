import { readSql } from "../../engines/sql-file.ts";
import { byColumns } from "../columns/by-columns.ts";
import { pickColumns, type ReportColumnsBy, shownColumns } from "../columns/pick-columns.ts";
import { getComplianceAsOf } from "../findings/compliance-as-of.ts";
import { noteCompliance, type ScheduledDays } from "../findings/compliance-notes.ts";
import { describeFilters, listParameter, placeParameters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { getReportedPeriod } from "../options/reported-period.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportColumn } from "../report.ts";

/** The columns that each word of `--by` brings, in the order of the SQL's flags and columns. */
const columnsBy: ReportColumnsBy = {
  campaign: [
    // A campaign's number says which campaign it is only together with its kind.
    { name: "kind", type: "text" },
    { name: "campaign_key", type: "integer" },
    { name: "campaign_id", type: "integer" },
    { name: "campaign_name", type: "text" },
  ],
  zone: byColumns.zone,
  group: byColumns.group,
  location: byColumns.location,
  date: byColumns.date,
  week: byColumns.week,
  month: byColumns.month,
};

const measures: readonly ReportColumn[] = [
  ...integers("scheduled_days", "compliant_days", "missed_days", "missed_offline_days", "closed_days"),
  ...integers("not_measurable_days", "pending_days", "unscheduled_days"),
  { name: "compliance", type: "share" },
  { name: "coverage", type: "share" },
  { name: "asset_coverage", type: "share" },
  ...integers("candidate_plays", "exclusive_plays", "complete_plays", "measured_plays"),
  ...integers("zones_scheduled", "zones_reached"),
];

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
    ...Object.keys(columnsBy).map((word) => by.includes(word)),
  ];
  const [total] = await mart.all<ScheduledDays>(sql, parameters([], []));
  const notes = await noteCompliance(mart, options, total);
  const stream = await mart.stream(sql, parameters(options.by, onlyStates));
  const columns = shownColumns(options.by, columnsBy, measures);
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

function integers(...names: string[]): ReportColumn[] {
  return names.map((name) => ({ name, type: "integer" }));
}
