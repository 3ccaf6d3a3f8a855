import type { ListQuery } from "../compile/request.ts";
import { int, isIn, type Sql, sql } from "../compile/sql.ts";
import { isOfPlaces, selectKinds, selectZones } from "./chosen.ts";
import { filters } from "./filters.ts";
import { columnsLike, type ListFilter, type ListReport } from "./list-report.ts";
import type { ReportEntry } from "./report-entry.ts";

const ofPlaces: ListFilter = { where: (_values, query) => isOfPlaces(query) };

const loadFilters: ListReport["filters"] = {
  zone: ofPlaces,
  location: ofPlaces,
  group: ofPlaces,
  kind: filters.kind,
  load: { where: (ids) => isIn(sql`f.load_id`, ids, int) },
};

/** Loads of history with their line counts by outcome, newest first. */
export const loads: ListReport & ReportEntry = {
  name: "loads",
  summary: "lines of each load by outcome, newest first",
  isTimeless: true,
  collected: ["history"],
  rows: sql`fact_load as f`,
  columns: {
    ...columnsLike("fact_load", "load_id", "source"),
    ...columnsLike("dim_kind", "kind"),
    ...columnsLike("dim_group", "group_id"),
    ...columnsLike("dim_zone", "zone_id"),
    ...columnsLike("fact_load", "requested_at", "loaded_at", "lines", "rejected", "new_plays", "changed"),
    ...columnsLike("fact_load", "unchanged", "duplicate", "blank", "zero_second", "vanished", "bytes"),
  },
  filters: loadFilters,
  attributes: [],
  order: [sql`f.load_id desc`],
};

/** A line belongs to the zone whose id it contains, otherwise to the walked zone, if any. */
const ofNamedZone: ListFilter = {
  where: (values, query) => sql`${ofPlaces.where(values, query)}
    and coalesce(try_cast(regexp_extract(r.line, '"zone_id"\\s*:[\\s"]*(\\d+)', 1) as bigint), f.zone_id) in (
        ${selectZones(query)}
    )`,
};

/** Lines of history that could not become a play, newest load first. */
export const rejects: ListReport & ReportEntry = {
  name: "rejects",
  summary: "rejected lines, with the reason",
  title: "Rejected lines",
  isTimeless: true,
  collected: ["history"],
  rows: sql`fact_reject as r\ninner join fact_load as f on f.load_id = r.load_id`,
  columns: {
    ...columnsLike("fact_load", "load_id"),
    line_number: { of: sql`r.line_number`, like: "fact_reject.line_number" },
    ...columnsLike("dim_kind", "kind"),
    reason: { of: sql`r.reason`, like: "fact_reject.reason" },
    line: { of: sql`r.line`, like: "fact_reject.line" },
  },
  filters: { ...loadFilters, zone: ofNamedZone, location: ofNamedZone },
  attributes: [],
  order: [sql`f.load_id desc`, sql`r.line_number`],
};

/**
 * Selects the newest load of each source: an export contains the whole history, so older loads of the source repeat it.
 * Includes all files loaded by hand.
 */
export function selectNewestLoads(query: ListQuery): Sql {
  return sql`select *
    from (
        select
            f.*,
            row_number() over (
                partition by
                    f.source, f.kind, f.group_id, f.zone_id,
                    case when f.source not in ('export', 'walk') then f.load_id end
                order by f.requested_at desc, f.load_id desc
            ) as age
        from fact_load as f
        where f.kind in (${selectKinds(query)}) and ${isOfPlaces(query)}
    ) as ordered
    where age = 1`;
}
