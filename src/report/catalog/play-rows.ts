import { name, type Sql, sql } from "../compile/sql.ts";
import type { AggregateReport, Source } from "./aggregate-report.ts";
import { bitsOf, dimensions } from "./dimensions.ts";
import { filters } from "./filters.ts";
import { amount, sums } from "./measures.ts";
import { monthPlays } from "./month-plays.ts";

/** Columns of a play in `fact_play` that are summed like those of the aggregated facts. */
export const countsOfPlay = sql`
    1 as plays,
    duration_secs as play_seconds,
    case when is_complete then 1 else 0 end as complete_plays,
    case when is_complete is not null then 1 else 0 end as measured_plays,
    case when is_short then 1 else 0 end as short_plays`;

const plain = (table: string, isMusic: Sql, keys: Source["keys"]): Source => ({
  rows: sql`(select *, ${isMusic} as is_music from ${name(table)})`,
  keys: [...keys, "kind", "date"],
});
const byKind = sql`kind = 'music'`;
/** True for music. Comparing keys is faster than comparing text. */
export const byKey = sql`item_key % 4 = 0`;

const { kind, group, location, city, zone, item, artist } = dimensions;
const { date, week, month, quarter, weekday, hour } = dimensions;

/** Plays by the dimensions of the play facts; `plays.ts` adds plays by campaign and by daypart. */
export const playRows = {
  name: "plays",
  sources: [
    plain("fact_play_zone_day", byKind, ["zone"]),
    plain("fact_play_item_day", byKey, ["item", "artist"]),
    plain("fact_play_zone_hour", byKind, ["zone", "hour"]),
    monthPlays,
    { ...plain("fact_play_day", byKey, ["zone", "item", "artist"]), isLarge: true },
    {
      rows: sql`(
    select kind, zone_id, item_key, artist_id, date, play_hour, ${byKey} as is_music,${countsOfPlay}
    from fact_play
)`,
      keys: ["zone", "item", "artist", "kind", "date", "hour"],
      isLarge: true,
    },
  ],
  dimensions: { kind, group, location, city, zone, item, artist, date, week, month, quarter, weekday, hour },
  attributes: ["zone", "item"],
  filters: { zone: filters.zone, location: filters.location, group: filters.group, kind: filters.kind },
  // Kinds lack some values, such as the length of music. These values and their sums over rows of that kind are null.
  aggregates: {
    ...sums("plays", "play_seconds"),
    complete_plays: { is: "sum", of: sql`case when not f.is_music then f.complete_plays end` },
    measured_plays: { is: "sum", of: sql`case when not f.is_music then f.measured_plays end` },
    short_plays: { is: "sum", of: sql`case when f.is_music then f.short_plays end` },
    zones: { is: "distinct", of: sql`f.zone_id`, needs: ["zone"], bits: bitsOf.zone },
    items: { is: "distinct", of: sql`f.item_key`, needs: ["item"], bits: bitsOf.item },
  },
  measures: {
    plays: amount("plays", { like: "fact_play_day.plays" }),
    play_seconds: amount("play_seconds", { like: "fact_play_day.play_seconds" }),
    complete_plays: {
      of: sql`case when r.measured_plays > 0 then r.complete_plays end`,
      like: "fact_play_day.complete_plays",
      definition: "Measured plays that lasted at least the asset's length, less 1 second.",
      note: "Blank without measured plays.",
    },
    measured_plays: {
      of: sql`r.measured_plays`,
      like: "fact_play_day.measured_plays",
      definition: "Plays of an asset whose length is known.",
      note: "Blank if only music played.",
    },
    short_plays: {
      of: sql`r.short_plays`,
      like: "fact_play_day.short_plays",
      definition: "Songs that lasted under 30 seconds.",
      note: "Blank if no music played.",
    },
    zones: {
      ...amount("zones", {
        label: "Zones",
        unit: "count",
        definition: "Number of different zones that played.",
      }),
      single: ["zone"],
    },
    items: { ...amount("items", { like: "fact_play_zone_day.items" }), single: ["item"] },
  },
  order: [
    ...["kind", "group", "location", "city", "zone", "item", "artist"],
    ...["date", "week", "month", "quarter", "weekday", "hour"],
  ],
  ranking: "plays",
  incidents: { needsWholePeriod: true },
} satisfies AggregateReport;
