import type { AttributeEntity } from "../../mart/attribute.ts";
import type { ListQuery } from "../compile/request.ts";
import { and, int, isIn, nothing, type Sql, sql, text } from "../compile/sql.ts";
import type { Filter } from "./aggregate-report.ts";
import { hasValues } from "./attributes.ts";
import { filters } from "./filters.ts";

/** Returns conditions that limit zones `f` to the requested places. */
function ofPlaces(query: ListQuery): Sql[] {
  return applyFilters(query, { zone: filters.zone, location: filters.location, group: filters.group });
}

/** Returns conditions that limit campaigns `f` to the requested kinds and keys. */
function ofCampaigns(query: ListQuery): Sql[] {
  return applyFilters(query, { kind: filters.kind, campaign: filters.campaign });
}

function applyFilters(query: ListQuery, known: Readonly<Record<string, Filter>>): Sql[] {
  const { where = {} } = query;
  return Object.entries(known).flatMap(([word, filter]) =>
    where[word] ? [filter.where(where[word], query)] : [],
  );
}

/** Selects the requested zones that have the requested attributes on a day of the period. */
export function selectZones(query: ListQuery, columns: Sql = sql`f.zone_id`): Sql {
  return sql`select ${columns} from dim_zone as f${listConditions([...ofPlaces(query), ...hasValues("zone", query)])}`;
}

/** Selects the requested campaigns that have the requested attributes on a day of the period. */
export function selectCampaigns(query: ListQuery, columns: Sql = sql`f.campaign_key`): Sql {
  const conditions = [...ofCampaigns(query), ...hasValues("campaign", query)];
  return sql`select ${columns} from dim_campaign as f${listConditions(conditions)}`;
}

function selectItems(query: ListQuery): Sql {
  const { item } = query.where ?? {};
  return sql`select f.item_key from dim_item as f${listConditions([
    ...applyFilters(query, { kind: filters.kind }),
    ...(item ? [isIn(sql`f.item_id`, item, int)] : []),
    ...hasValues("item", query),
  ])}`;
}

export const selectEntities: Readonly<Record<AttributeEntity, (query: ListQuery) => Sql>> = {
  zone: selectZones,
  campaign: selectCampaigns,
  item: selectItems,
};

/** Selects the requested groups. If zones or locations are requested, selects only groups that contain one of them. */
export function selectGroups(query: ListQuery): Sql {
  const { group, zone, location } = query.where ?? {};
  return sql`select group_id from dim_group${listConditions([
    ...(group ? [isIn(sql`group_id`, group, int)] : []),
    ...(zone || location
      ? [sql`group_id in (select group_id from bridge_group_zone where zone_id in (${selectZones(query)}))`]
      : []),
  ])}`;
}

/** Selects the zones of the requested groups, one row per group and zone. */
export function selectGroupZones({ where: { group } = {} }: ListQuery): Sql {
  return sql`select group_id, zone_id from bridge_group_zone${listConditions(
    group ? [isIn(sql`group_id`, group, int)] : [],
  )}`;
}

export function selectKinds({ where: { kind } = {} }: ListQuery): Sql {
  return sql`select kind from dim_kind${listConditions(kind ? [isIn(sql`kind`, kind, text)] : [])}`;
}

/**
 * Limits responses `f` to the requested groups or zones. This excludes files loaded by hand, which belong to neither.
 */
export function isOfPlaces(query: ListQuery): Sql {
  const { group, zone, location } = query.where ?? {};
  if (!group && !zone && !location) return sql`true`;
  return sql`(f.group_id in (${selectGroups(query)}) or f.zone_id in (${selectZones(query)}))`;
}

function listConditions(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? nothing : sql` where ${and(conditions)}`;
}
