import { getPeriod, type ListQuery } from "../compile/request.ts";
import { date, type Sql, sql } from "../compile/sql.ts";

/** The zone of a row `f`, with its names. */
export const zoneColumns = {
  zone_id: { of: sql`f.zone_id`, like: "dim_zone.zone_id" },
  zone_name: { of: sql`z.zone_name`, like: "dim_zone.zone_name" },
  location_name: { of: sql`l.location_name`, like: "dim_location.location_name" },
};

export const zoneJoins = sql`left join dim_zone as z on z.zone_id = f.zone_id
left join dim_location as l on l.location_id = z.location_id`;

/** Start and end of the period in each zone's local time. All outages and silences between them are known. */
export function zonePeriod(query: ListQuery): [string, Sql] {
  const { from, to } = getPeriod(query);
  return [
    "zone_period",
    sql`select zone_id, min(start_at) as from_at, max(end_at) as until_at
from fact_zone_uptime
where date between ${date(from)} and ${date(to)}
group by zone_id`,
  ];
}

/**
 * Groups that are still collected, so that their old or missing data matters: groups with zones or freshness, and
 * groups that never returned anything. A group that was removed from VENUE_GROUP_IDS has neither zones nor freshness.
 */
export const currentGroup = sql`select *
    from dim_group
    where
        group_id in (select group_id from bridge_group_zone)
        or group_id in (select group_id from fact_freshness)
        or group_id not in (
            select group_id from fact_load where group_id is not null
            union all
            select group_id from fact_snapshot where group_id is not null
        )`;

/**
 * One row per zone whose groups' devices were listed, with the time of the newest listing; for a zone in
 * several groups, the earliest of these times. A device last seen at that time or later is listed.
 */
export const listedZone: [string, Sql] = [
  "listed_zone",
  sql`select b.zone_id, min(n.requested_at) as requested_at
from bridge_group_zone as b
inner join (
    select group_id, max(requested_at) as requested_at
    from fact_snapshot
    where source = 'devices'
    group by group_id
) as n on n.group_id = b.group_id
group by b.zone_id`,
];
