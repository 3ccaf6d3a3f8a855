import { type Sql, sql } from "../compile/sql.ts";
import type { AggregateReport } from "./aggregate-report.ts";
import { dimensions } from "./dimensions.ts";
import { filters } from "./filters.ts";
import { amount, sums } from "./measures.ts";
import { playRows } from "./play-rows.ts";

const { campaign, kind, group, location, city, zone, date, week, month, quarter, weekday } = dimensions;

/**
 * Weights are split into whole plays or seconds and a remainder in 10^11ths. Both are integers, because integer sums do
 * not depend on the order of the rows.
 */
export const wholeOf = (weight: Sql) => sql`cast(floor(${weight}) as bigint)`;
export const partOf = (weight: Sql) => sql`cast(round((${weight} - floor(${weight})) * 1e11) as bigint)`;

/** Puts the sums of both parts together again, in millionths. */
export const joinParts = (whole: Sql, part: Sql) =>
  sql`cast(${whole} as double) + cast(round(cast(${part} as double) / 1e5) as double) / 1e6`;

/** Plays that each campaign can claim. */
export const campaignPlays = {
  name: "plays",
  sources: [
    {
      rows: sql`fact_campaign_zone_day`,
      keys: ["zone", "campaign", "kind", "date"],
      where: sql`f.candidate_plays > 0`,
    },
  ],
  dimensions: { campaign, kind, group, location, city, zone, date, week, month, quarter, weekday },
  attributes: ["zone", "campaign"],
  filters: { ...playRows.filters, campaign: filters.campaign },
  aggregates: {
    plays: { is: "sum", of: sql`f.candidate_plays` },
    ...sums("play_seconds", "complete_plays", "measured_plays"),
    whole_plays: { is: "sum", of: wholeOf(sql`f.weighted_plays`) },
    part_plays: { is: "sum", of: partOf(sql`f.weighted_plays`) },
    whole_seconds: { is: "sum", of: wholeOf(sql`f.weighted_seconds`) },
    part_seconds: { is: "sum", of: partOf(sql`f.weighted_seconds`) },
    unscheduled_plays: {
      is: "sum",
      of: sql`case when f.state = 'unscheduled' then f.candidate_plays else 0 end`,
    },
    zones: { is: "distinct", of: sql`f.zone_id` },
  },
  measures: {
    plays: amount("plays", {
      like: "fact_play_day.plays",
      definition: "Plays of the campaign's active assets.",
      note: "A play of a shared asset is counted for each campaign that can claim it.",
    }),
    play_seconds: {
      of: sql`r.play_seconds`,
      like: "fact_play_day.play_seconds",
      definition: "Total duration of these plays.",
    },
    weighted_plays: {
      of: joinParts(sql`r.whole_plays`, sql`r.part_plays`),
      like: "fact_campaign_zone_day.weighted_plays",
      definition:
        "Plays on days on which the campaign was scheduled, each divided by the number of scheduled campaigns that can claim it.",
      note: "Over all campaigns, each play counts once.",
    },
    weighted_seconds: {
      of: joinParts(sql`r.whole_seconds`, sql`r.part_seconds`),
      like: "fact_campaign_zone_day.weighted_seconds",
      definition:
        "Duration of the plays on scheduled days in seconds, each divided by the number of scheduled campaigns that can claim it.",
      note: "Over all campaigns, each second counts once.",
    },
    unscheduled_plays: {
      of: sql`r.unscheduled_plays`,
      label: "Unscheduled plays",
      unit: "count",
      definition: "Plays on days on which the campaign was not scheduled.",
      note: "Only plays that no scheduled campaign can claim; their weight is 0.",
    },
    complete_plays: {
      of: sql`case when r.measured_plays > 0 then r.complete_plays end`,
      like: "fact_campaign_zone_day.complete_plays",
    },
    measured_plays: { of: sql`r.measured_plays`, like: "fact_campaign_zone_day.measured_plays" },
    zones: playRows.measures.zones,
  },
  order: [
    "kind",
    "campaign",
    "group",
    "location",
    "city",
    "zone",
    "date",
    "week",
    "month",
    "quarter",
    "weekday",
  ],
  ranking: "plays",
  incidents: { needsWholePeriod: true },
} satisfies AggregateReport;
