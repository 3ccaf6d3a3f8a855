import { date, int, sql, whole } from "../compile/sql.ts";
import type { AggregateReport, Source } from "./aggregate-report.ts";
import { bitsOf } from "./dimensions.ts";
import { amount } from "./measures.ts";
import { playRows } from "./play-rows.ts";
import type { ReportEntry } from "./report-entry.ts";
import { playFilters } from "./single-plays.ts";

const usualMinutes = 60;

/** Plays that began at most `within` minutes after the item's previous play in the zone began. */
const repeatedPlays: Source["rows"] = ({ from, to }, { where: { within = [] } = {} }) => sql`(
    select *
    from (
        select
            kind, zone_id, item_key, artist_id, date, play_hour,
            date_diff(
                'second',
                cast(
                    date_trunc(
                        'second', lag(played_at) over (partition by zone_id, item_key order by played_at)
                    ) as timestamp(6)
                ),
                cast(date_trunc('second', played_at) as timestamp(6))
            ) as gap_seconds
        from fact_play
        where date between cast(${date(from)} - interval '2' day as date) and ${date(to)}
    ) as g
    where gap_seconds <= 60 * ${int(within[0] ?? usualMinutes)}
)`;

/** Repeated plays of an item in a zone. */
export const repeats: AggregateReport & ReportEntry = {
  name: "repeats",
  summary: "items that a zone played again within an hour, or --within minutes",
  defaultBy: ["zone", "item"],
  top: "largest",
  pageOrder: "repeats",
  compared: "repeats",
  collected: ["history"],
  dataOf: ["history"],
  sources: [
    {
      rows: repeatedPlays,
      keys: ["zone", "item", "artist", "kind", "date", "hour"],
    },
  ],
  dimensions: playRows.dimensions,
  attributes: ["zone", "item"],
  filters: {
    ...playRows.filters,
    ...{ item: playFilters.item, artist: playFilters.artist },
    // The source applies this filter, because it has a default.
    within: { needs: [], where: () => sql`true` },
  },
  aggregates: {
    repeats: { is: "sum", of: whole(1) },
    shortest_gap: { is: "min", of: sql`f.gap_seconds` },
    zones: { is: "distinct", of: sql`f.zone_id`, bits: bitsOf.zone },
    items: { is: "distinct", of: sql`f.item_key`, bits: bitsOf.item },
  },
  measures: {
    repeats: amount("repeats", {
      label: "Repeats",
      unit: "count",
      definition:
        "Plays of an item that began at most 60 minutes, or --within, after its previous play in the zone began.",
    }),
    shortest_gap_seconds: {
      of: sql`r.shortest_gap`,
      label: "Shortest gap",
      unit: "seconds",
      definition: "Shortest time from one start to the next.",
      isUncompared: true,
    },
    zones: {
      ...amount("zones", {
        label: "Zones",
        unit: "count",
        definition: "Number of different zones with a repeat.",
      }),
      single: ["zone"],
    },
    items: {
      ...amount("items", {
        label: "Items",
        unit: "count",
        definition: "Number of different repeated items.",
      }),
      single: ["item"],
    },
  },
  order: playRows.order,
  ranking: "repeats",
  incidents: { needsWholePeriod: true },
};
