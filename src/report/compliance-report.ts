import { readSql } from "../engines/sql-file.ts";
import { byColumns } from "./by-columns.ts";
import { getComplianceAsOf } from "./compliance-as-of.ts";
import { pickColumns, type ReportColumnsBy, shownColumns } from "./pick-columns.ts";
import type { PublishedMart } from "./published-mart.ts";
import type { Period, Report, ReportColumn } from "./report.ts";
import { describeFilters, listParameter, noteUnknownIds, placeParameters } from "./report-filters.ts";
import type { ReportOptions } from "./report-options.ts";
import { getReportedPeriod } from "./reported-period.ts";

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
  const notes = [
    ...(await noteUnknownIds(mart, options)),
    ...(await noteUnknownCampaigns(mart, campaignIds)),
    ...(await noteNothingKnown(mart)),
    ...(await noteAssumed(mart, options, period)),
  ];
  const stream = await mart.stream(readSql("reports/compliance.sql"), [
    period.from,
    period.to,
    ...placeParameters(options),
    ...[options.kinds, campaignIds, onlyStates].map(listParameter),
    ...Object.keys(columnsBy).map((word) => options.by.includes(word)),
  ]);
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

async function noteNothingKnown(mart: PublishedMart): Promise<string[]> {
  const [known] = await mart.all<{ cells: number }>("select count(*) as cells from fact_campaign_zone_day");
  return known?.cells === 0 ? ["No listing of campaigns has been loaded yet, so nothing is scheduled."] : [];
}

/** Where a number is no campaign's, it may be the key that reports show beside it. */
async function noteUnknownCampaigns(mart: PublishedMart, campaignIds: readonly number[]): Promise<string[]> {
  if (campaignIds.length === 0) return [];
  const known = await mart.all<{ id: number; key: number; kind: string }>(
    "select campaign_id as id, campaign_key as key, kind from dim_campaign",
  );
  return campaignIds
    .filter((asked) => known.every(({ id }) => id !== asked))
    .map((asked) => {
      const meant = known.find(({ key }) => key === asked);
      const hint = meant
        ? ` It is the campaign_key of the ${meant.kind} campaign whose campaign_id is ${meant.id}; --campaign takes the latter.`
        : "";
      return `No campaign ${asked} in what is published.${hint}`;
    });
}

async function noteAssumed(
  mart: PublishedMart,
  options: ReportOptions,
  { from, to }: Period,
): Promise<string[]> {
  const [row] = await mart.all<{ scheduled_days: number; assumed_days: number }>(
    readSql("reports/compliance_assumed.sql"),
    [
      from,
      to,
      ...placeParameters(options),
      listParameter(options.kinds),
      listParameter(options.campaignIds ?? []),
    ],
  );
  const { scheduled_days: scheduled, assumed_days: assumed } = row ?? { scheduled_days: 0, assumed_days: 0 };
  if (assumed === 0) return [];
  const days = scheduled === 1 ? "scheduled zone day" : "scheduled zone days";
  const [part, are] =
    assumed === scheduled ? ["all", "are"] : [String(assumed), assumed === 1 ? "is" : "are"];
  return [
    `Of ${scheduled} ${days} ${part} ${are} assumed: before a zone was listed first, and where only its group is, what is to run is taken from the first listing, or the group's.`,
  ];
}
