import type { ListQuery } from "../compile/request.ts";
import { and, int, isIn, type Sql, sql } from "../compile/sql.ts";
import { filters } from "./filters.ts";
import { columnsLike, type ListFilter, type ListReport } from "./list-report.ts";

/** Selects the zones that match all requested places. */
function selectZones({ where = {} }: ListQuery): Sql {
  const { zone, location, group } = where;
  const conditions = [
    ...(zone ? [filters.zone.where(zone)] : []),
    ...(location ? [filters.location.where(location)] : []),
    ...(group ? [filters.group.where(group)] : []),
  ];
  return sql`select f.zone_id from dim_zone as f where ${and(conditions)}`;
}

/**
 * Keeps exports of the requested groups, or of those with a requested zone, and walks of requested zones. Files
 * that were loaded by hand belong to none.
 */
const ofPlaces: ListFilter = {
  where: (_values, query) => {
    const { group, zone, location } = query.where ?? {};
    const zones = selectZones(query);
    const isOfGroup = [
      ...(group ? [isIn(sql`f.group_id`, group, int)] : []),
      ...(zone || location
        ? [sql`f.group_id in (select group_id from bridge_group_zone where zone_id in (${zones}))`]
        : []),
    ];
    return sql`(${and(isOfGroup)} or f.zone_id in (${zones}))`;
  },
};

const loadFilters: ListReport["filters"] = {
  zone: ofPlaces,
  location: ofPlaces,
  group: ofPlaces,
  kind: filters.kind,
  load: { where: (ids) => isIn(sql`f.load_id`, ids, int) },
};

/** Loads of history with their line counts by outcome, newest first. */
export const loads: ListReport = {
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

/** A line belongs to the zone that it names, otherwise to the one that was walked, if any. */
const ofNamedZone: ListFilter = {
  where: (values, query) => sql`${ofPlaces.where(values, query)}
    and coalesce(try_cast(regexp_extract(r.line, '"zone_id"\\s*:[\\s"]*(\\d+)', 1) as bigint), f.zone_id) in (
        ${selectZones(query)}
    )`,
};

/** Lines of history that could not become a play, newest load first. */
export const rejects: ListReport = {
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
