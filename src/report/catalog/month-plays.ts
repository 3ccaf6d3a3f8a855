import { addDays } from "../../util/local-date.ts";
import type { Period, QueriedAttribute, ReportQuery } from "../compile/request.ts";
import { date, isIn, join, name, nothing, type Sql, sql, text } from "../compile/sql.ts";
import type { Source } from "./aggregate-report.ts";
import { keyColumns } from "./attributes.ts";

/**
 * Plays by month for the whole calendar months of the period, dated the first of the month, and by day for other days.
 * Months in which a requested attribute of a zone or item changes are also read by day.
 */
export const monthPlays: Source = {
  rows: selectRows,
  isOffered: ({ period, attributes = [] }) =>
    findWholeMonths(period) !== undefined && new Set(attributes.map(({ subject }) => subject)).size < 2,
  keys: ["zone", "item", "artist", "kind"],
  isLarge: true,
};

function selectRows(period: Period, { attributes: [first, ...others] = [] }: ReportQuery): Sql {
  const months = findWholeMonths(period);
  if (!months) return unite([selectDays(period)]);
  const ends = [
    { from: period.from, to: addDays(months.from, -1) },
    { from: addDays(months.to, 1), to: period.to },
  ].filter(({ from, to }) => from <= to);
  const whole = sql`f.month between ${date(months.from)} and ${date(months.to)}`;
  if (!first)
    return unite([
      select(sql`month`, sql`fact_play_month as f\n    where ${whole}`),
      ...ends.map((end) => selectDays(end)),
    ]);
  const key = keyColumns[first.subject];
  const changed = selectChanged([first, ...others]);
  const unchanged = sql`fact_play_month as f
    left join ${changed} as c on c.${key} = f.${key} and c.month = f.month
    where c.month is null and ${whole}`;
  const daysOfChanged = sql`inner join (
        select c.${key}, d.date
        from ${changed} as c
        inner join dim_date as d on cast(date_trunc('month', d.date) as date) = c.month
    ) as c on c.${key} = f.${key} and c.date = f.date`;
  return unite([
    select(sql`month`, unchanged),
    selectDays(months, daysOfChanged),
    ...ends.map((end) => selectDays(end)),
  ]);
}

function selectDays({ from, to }: Period, joined = nothing): Sql {
  return select(
    sql`date`,
    sql`fact_play_day as f ${joined}\n    where f.date between ${date(from)} and ${date(to)}`,
  );
}

function select(day: Sql, from: Sql): Sql {
  return sql`
    select
        f.${day} as date, f.kind, f.zone_id, f.item_key, f.artist_id, f.plays, f.play_seconds,
        f.complete_plays, f.measured_plays, f.short_plays, f.item_key % 4 = 0 as is_music
    from ${from}`;
}

function unite(selects: readonly Sql[]): Sql {
  return sql`(${join(selects, "\n    union all")}\n)`;
}

/** Selects zones or items, with the months in which one of their attribute values begins or ends. */
function selectChanged(attributes: readonly [QueriedAttribute, ...QueriedAttribute[]]): Sql {
  const [{ subject }] = attributes;
  const names = attributes.map((one) => one.name);
  const select = (day: Sql, start: Sql) => sql`
        select ${keyColumns[subject]}, cast(date_trunc('month', ${day}) as date) as month
        from ${name(`bridge_${subject}_attribute`)}
        where ${isIn(sql`attribute_name`, names, text)} and day(${start}) > 1`;
  return sql`(${select(sql`valid_from`, sql`valid_from`)}
        union${select(sql`valid_to`, sql`valid_to + interval '1' day`)}
    )`;
}

/** Returns the first and last day of the whole months in a period. */
function findWholeMonths({ from, to }: Period): Period | undefined {
  const first = from.endsWith("-01") ? from : `${addDays(`${from.slice(0, 7)}-28`, 4).slice(0, 7)}-01`;
  const last = addDays(`${addDays(to, 1).slice(0, 7)}-01`, -1);
  return first < last ? { from: first, to: last } : undefined;
}
