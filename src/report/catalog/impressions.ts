import { type Sql, sql } from "../compile/sql.ts";
import type { Aggregate, AggregateReport, Measure } from "./aggregate-report.ts";
import { campaignPlays, joinParts, partOf, wholeOf } from "./campaign-plays.ts";
import { amount, sums } from "./measures.ts";
import { playRows } from "./play-rows.ts";
import type { ReportEntry } from "./report-entry.ts";

/** The formula of impressions, for notes and pages. */
export const impressionFormula =
  "Impressions = plays × people near at the time (people per hour × dwell seconds ÷ 3,600, or people per play). They are a calculation, not a measurement of people.";

const { item, hour, artist: _artist, ...places } = playRows.dimensions;

/** Sums of whole numbers do not depend on the order: impressions are summed in 3,600,000ths. */
const impressionSum: Aggregate = {
  is: "sum",
  of: sql`cast(round(f.impressions * 3600000) as bigint)`,
};

const impressionMeasure: Measure = {
  of: sql`cast(round(cast(r.impressions as double) / 3600) as double) / 1000`,
  like: "fact_impression_hour.impressions",
  isBlankIfMissing: true,
  note: "Blank without a play at a time with footfall. People per hour × dwell seconds ÷ 3,600, or people per play as given.",
};

const coverage = {
  label: "Impression coverage",
  unit: "share",
  definition: "Covered plays ÷ plays: the share of the plays that impressions are calculated for.",
} as const;

/** Selects plays of signage and messages, and then those at times with footfall. */
function selectPlays(table: Sql, plays: Sql, keys: Sql): Sql {
  return sql`(
    select cast(kind as varchar) as kind, ${keys}, ${plays} as plays, 0 as covered_plays, cast(null as double) as impressions
    from ${table}
    where kind <> 'music'
    union all
    select cast(kind as varchar) as kind, ${keys}, 0, covered_plays, impressions
    from fact_impression_hour
)`;
}

/** Impressions of signage and messages. */
const ofPlays: AggregateReport = {
  name: "impressions",
  sources: [
    {
      rows: selectPlays(sql`fact_play_zone_hour`, sql`plays`, sql`zone_id, date, play_hour`),
      keys: ["zone", "kind", "date", "hour"],
    },
    {
      rows: selectPlays(sql`fact_play`, sql`1`, sql`zone_id, item_key, date, play_hour`),
      keys: ["zone", "item", "kind", "date", "hour"],
      isLarge: true,
    },
  ],
  dimensions: { ...places, item, hour },
  attributes: ["zone", "item"],
  filters: playRows.filters,
  aggregates: { ...sums("plays", "covered_plays"), impressions: impressionSum },
  measures: {
    impressions: impressionMeasure,
    impression_coverage: { ...coverage, of: sql`cast(r.covered_plays as double) / nullif(r.plays, 0)` },
    plays: amount("plays", { like: "fact_play_day.plays" }),
    covered_plays: amount("covered_plays", { like: "fact_impression_hour.covered_plays" }),
  },
  order: playRows.order.filter((word) => word !== "artist"),
  ranking: "impressions",
  incidents: { needsWholePeriod: true },
};

const { whole_plays, part_plays } = campaignPlays.aggregates;

/** Impressions of campaigns, divided like their weighted plays. */
const ofCampaigns: AggregateReport = {
  ...campaignPlays,
  name: "impressions",
  sources: [
    {
      rows: sql`(
    select campaign_key, cast(kind as varchar) as kind, zone_id, date, weighted_plays, covered_plays, impressions
    from fact_campaign_zone_day
    where weighted_plays > 0
)`,
      keys: ["zone", "campaign", "kind", "date"],
    },
  ],
  aggregates: {
    whole_plays,
    part_plays,
    whole_covered: { is: "sum", of: wholeOf(sql`f.covered_plays`) },
    part_covered: { is: "sum", of: partOf(sql`f.covered_plays`) },
    impressions: impressionSum,
  },
  measures: {
    impressions: { ...impressionMeasure, like: "fact_campaign_zone_day.impressions" },
    impression_coverage: {
      ...coverage,
      of: sql`cast(cast(r.whole_covered as double) * 1e11 + cast(r.part_covered as double) as double) / nullif(cast(r.whole_plays as double) * 1e11 + cast(r.part_plays as double), 0)`,
    },
    weighted_plays: campaignPlays.measures.weighted_plays,
    covered_plays: {
      of: joinParts(sql`r.whole_covered`, sql`r.part_covered`),
      like: "fact_campaign_zone_day.covered_plays",
    },
  },
  ranking: "impressions",
};

const report: AggregateReport & ReportEntry = {
  ...ofPlays,
  summary: "plays of signage and messages × people near, from reference/footfall.csv",
  top: "largest",
  pageOrder: "impressions",
  compared: "impressions",
  isOfContent: true,
  collected: ["history"],
  dataOf: ["history"],
  notes: ["other-period", "impressions"],
  steps: ["zone", "date"],
  variants: { campaign: ofCampaigns },
};

const { campaign: _campaign, ...ofPlaces } = campaignPlays.dimensions;

export const impressions: AggregateReport & ReportEntry = {
  ...report,
  byCampaignAttributes: {
    ...report,
    ...ofCampaigns,
    dimensions: ofPlaces,
    order: campaignPlays.order.filter((word) => word !== "campaign"),
    variants: {},
    leadsToCampaigns: true,
  },
};
