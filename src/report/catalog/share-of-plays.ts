import { join, name, type Sql, sql } from "../compile/sql.ts";
import type { AggregateReport } from "./aggregate-report.ts";
import { campaignPlays, partOf, wholeOf } from "./campaign-plays.ts";
import { sums } from "./measures.ts";
import { playRows } from "./play-rows.ts";

const { item: _item, artist: _artist, hour: _hour, ...places } = playRows.dimensions;
const { weighted_plays, weighted_seconds } = campaignPlays.measures;
const parts = ["whole_plays", "part_plays", "whole_seconds", "part_seconds"];

/** Selects the integer parts of the weights. @param sign `-` to negate them */
function splitWeights(sign: Sql): Sql {
  const [plays, seconds] = [sql`weighted_plays`, sql`weighted_seconds`];
  const columns = [wholeOf(plays), partOf(plays), wholeOf(seconds), partOf(seconds)];
  return join(columns.map((column, index) => sql`${sign}${column} as ${name(parts[index] ?? "")}`));
}

/**
 * All plays of signage and messages by campaign attributes. Each play is divided among the scheduled campaigns that can
 * claim it. Plays that none can claim are `(none)`, so that the plays of a place or day are complete.
 */
export const shareOfPlays: AggregateReport = {
  ...campaignPlays,
  sources: [
    {
      // Rows without a campaign are all plays, and negative rows for those that campaigns claim. This avoids a join.
      rows: sql`(
    select cast(kind as varchar) as kind, zone_id, date, campaign_key, ${splitWeights(sql``)}
    from fact_campaign_zone_day
    where weighted_plays > 0
    union all
    select cast(kind as varchar) as kind, zone_id, date, cast(null as bigint), ${splitWeights(sql`-`)}
    from fact_campaign_zone_day
    where weighted_plays > 0
    union all
    select cast(kind as varchar) as kind, zone_id, date, cast(null as bigint), plays, 0, play_seconds, 0
    from fact_play_zone_day
    where kind <> 'music'
)`,
      keys: ["zone", "campaign", "kind", "date"],
    },
  ],
  dimensions: places,
  filters: playRows.filters,
  aggregates: sums(...parts),
  measures: {
    weighted_plays: {
      ...weighted_plays,
      definition: "Plays, each divided by the number of scheduled campaigns that can claim it.",
      note: "(none) contains plays that no scheduled campaign can claim, and plays of campaigns without a value.",
    },
    weighted_seconds: {
      ...weighted_seconds,
      definition:
        "Duration of the plays in seconds, each divided by the number of scheduled campaigns that can claim it.",
      note: "(none) contains plays that no scheduled campaign can claim, and plays of campaigns without a value.",
    },
    share_of_plays: {
      of: weighted_plays.of,
      isShareOfWhole: true,
      label: "Share of plays",
      unit: "share",
      definition:
        "Share of all plays of signage and messages, or of the requested kinds, at the row's place and time.",
    },
    share_of_seconds: {
      of: weighted_seconds.of,
      isShareOfWhole: true,
      label: "Share of play time",
      unit: "share",
      definition:
        "Share of the play time of all signage and messages, or of the requested kinds, at the row's place and time.",
    },
  },
  order: playRows.order.filter((word) => word in places),
  ranking: "weighted_plays",
};
