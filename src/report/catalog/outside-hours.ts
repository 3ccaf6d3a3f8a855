import type { Period } from "../compile/request.ts";
import { date, type Sql, sql, whole } from "../compile/sql.ts";
import { byKey, countsOfPlay } from "./play-rows.ts";

/** Tolerance, because learnt hours are medians: plays some minutes before or after them are usual. */
export const learntMinutes = 15;

/**
 * Selects plays outside their zone's opening hours, given or learnt, in zones whose hours are known. An opening may
 * extend into the next day, or begin some minutes before its day.
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
            cast(w.opens_at - t.minutes * interval '1' minute as timestamp(6)) as opens_at,
            cast(w.closes_at + t.minutes * interval '1' minute as timestamp(6)) as closes_at
        from fact_zone_opening as w
        inner join (
            select z.zone_id, case when g.zone_id is null then ${whole(learntMinutes)} else 0 end as minutes
            from dim_zone as z
            left join (select distinct zone_id from dim_opening_hours) as g on g.zone_id = z.zone_id
        ) as t on t.zone_id = w.zone_id
        cross join (values (-1), (0), (1)) as s (days)
    ) as o
        on o.zone_id = p.zone_id and o.date = p.date and p.played_at >= o.opens_at and p.played_at < o.closes_at
    where p.date between ${date(from)} and ${date(to)} and o.zone_id is null
)`;
}
