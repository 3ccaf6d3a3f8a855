import type { Period } from "../compile/request.ts";
import { date, type Sql, sql } from "../compile/sql.ts";
import { byKey, countsOfPlay } from "./play-rows.ts";

/**
 * Selects plays outside their zone's opening hours, given or learnt, in zones whose hours are known. An opening may
 * end on the day after.
 */
export function selectOutsideHours({ from, to }: Period): Sql {
  return sql`(
    select p.kind, p.zone_id, p.item_key, p.artist_id, p.date, p.play_hour, ${byKey} as is_music,${countsOfPlay}
    from fact_play as p
    inner join (select distinct zone_id from fact_zone_opening) as k on k.zone_id = p.zone_id
    left join (
        select
            w.zone_id,
            cast(w.date + s.days * interval '1' day as date) as date,
            w.opens_at,
            w.closes_at
        from fact_zone_opening as w
        cross join (values (0), (1)) as s (days)
    ) as o
        on o.zone_id = p.zone_id and o.date = p.date and p.played_at >= o.opens_at and p.played_at < o.closes_at
    where p.date between ${date(from)} and ${date(to)} and o.zone_id is null
)`;
}
