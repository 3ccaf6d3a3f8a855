import type { Period } from "../compile/request.ts";
import { date, join, type Sql, sql, whole } from "../compile/sql.ts";
import type { AggregateReport } from "./aggregate-report.ts";
import { dimensions } from "./dimensions.ts";
import { byKey, countsOfPlay, playRows } from "./play-rows.ts";

const { hour: _hour, ...others } = playRows.dimensions;

/**
 * Plays by daypart. A daypart that extends past midnight belongs to the day on which it began. That day determines the
 * period, time steps and attributes of its plays.
 */
export const daypartPlays: AggregateReport = {
  ...playRows,
  sources: [
    {
      rows: selectPlays,
      keys: ["zone", "item", "artist", "kind", "date", "daypart"],
      isLarge: true,
    },
  ],
  dimensions: { ...others, daypart: dimensions.daypart },
  order: playRows.order.map((word) => (word === "hour" ? "daypart" : word)),
};

/** Selects plays with their dayparts and the days on which these began. The last daypart may end on the next day. */
function selectPlays({ from, to }: Period): Sql {
  return sql`(
    select
        p.kind,
        p.zone_id,
        p.item_key,
        p.artist_id,
        cast(p.date - coalesce(k.days, 0) * interval '1' day as date) as date,
        coalesce(k.daypart, '(none)') as daypart,
        coalesce(k.from_secs, 86400) as from_secs,
        ${byKey} as is_music,${countsOfPlay}
    from fact_play as p
    left join (
        select m.minute_no, d.daypart, d.from_secs, s.days
        from (select h.n * 60 + o.n as minute_no from ${numbers(24)} as h (n) cross join ${numbers(60)} as o (n)) as m
        cross join (values (0), (1)) as s (days)
        inner join dim_daypart as d
            on (m.minute_no + s.days * 1440) * 60 >= d.from_secs
            and (m.minute_no + s.days * 1440) * 60 < d.to_secs
    ) as k on k.minute_no = p.play_hour * 60 + minute(p.played_at_local)
    where p.date between ${date(from)} and cast(${date(to)} + interval '1' day as date)
)`;
}

function numbers(count: number): Sql {
  return sql`(values ${join(Array.from({ length: count }, (_, n) => sql`(${whole(n)})`))})`;
}
