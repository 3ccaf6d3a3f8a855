import { getPeriod } from "../compile/request.ts";
import { date, int, isIn, sql } from "../compile/sql.ts";
import type { AggregateReport, Filter } from "./aggregate-report.ts";
import { dimensions } from "./dimensions.ts";
import { columnsLike, type ListReport } from "./list-report.ts";
import { playRows } from "./play-rows.ts";
import type { ReportEntry } from "./report-entry.ts";

export const playFilters = {
  ...playRows.filters,
  item: {
    needs: ["item"],
    where: (ids) => sql`f.item_key in (select item_key from dim_item where ${isIn(sql`item_id`, ids, int)})`,
  },
  artist: { needs: ["artist"], where: (ids) => isIn(sql`f.artist_id`, ids, int) },
  /** Plays of assets that were active and linked to one of the campaigns on that day in the zone. */
  campaign: {
    needs: ["zone", "item", "date"],
    where: (keys, query) => {
      const { from, to } = getPeriod(query);
      return sql`exists (
        select 1
        from fact_zone_day_listing as d
        inner join fact_listed_asset as s
            on s.kind = d.kind
            and s.owner_kind = d.owner_kind
            and s.owner_id = d.owner_id
            and s.from_at < d.end_at
            and coalesce(s.until_at, timestamp '9999-12-31 00:00:00') > d.start_at
        where
            d.date between ${date(from)} and ${date(to)}
            and ${isIn(sql`s.campaign_key`, keys, int)}
            and (s.start_date is null or s.start_date <= d.date)
            and (s.end_date is null or s.end_date >= d.date)
            and d.zone_id = f.zone_id
            and d.date = f.date
            and s.item_key = f.item_key
    )`;
    },
  },
} satisfies Record<string, Filter>;

/** One row per play. */
export const singlePlays: ListReport & ReportEntry = {
  name: "single-plays",
  summary: "individual plays, with their times",
  collected: ["history"],
  dataOf: ["history"],
  tables: (query) => {
    const { from, to } = getPeriod(query);
    return [["play", sql`select * from fact_play where date between ${date(from)} and ${date(to)}`]];
  },
  rows: sql`play as f
left join dim_zone as z on z.zone_id = f.zone_id
left join dim_item as i on i.item_key = f.item_key
left join dim_artist as a on a.artist_id = f.artist_id`,
  columns: {
    ...columnsLike("fact_play", "played_at_local"),
    ...columnsLike("dim_zone", "zone_id"),
    zone_name: { of: sql`z.zone_name`, like: "dim_zone.zone_name" },
    ...columnsLike("dim_kind", "kind"),
    item_id: { of: sql`i.item_id`, like: "dim_item.item_id" },
    item_name: { of: sql`i.item_name`, like: "dim_item.item_name" },
    ...columnsLike("dim_artist", "artist_id"),
    artist_name: { of: sql`a.artist_name`, like: "dim_artist.artist_name" },
    ...columnsLike("fact_play", "duration_secs", "is_complete", "played_at"),
  },
  filters: playFilters,
  attributes: ["zone", "item"],
  attributesOn: "date",
  order: [sql`f.played_at`, sql`f.zone_id`, sql`f.item_key`],
};

const { zone, item, artist } = dimensions;
const { plays: count, play_seconds, zones, items } = playRows.measures;

/** Totals of single plays, and plays by zone, item or artist. */
export const countedPlays: AggregateReport = {
  ...playRows,
  name: "single-plays",
  dimensions: { zone, item, artist },
  filters: playFilters,
  measures: { plays: count, play_seconds, zones, items },
  order: ["zone", "item", "artist"],
};
