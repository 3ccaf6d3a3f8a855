import type { Measure } from "../catalog/aggregate-report.ts";
import { inState, type Plan } from "./choose.ts";
import { columns, groupBy } from "./select-pass.ts";
import { as, name, type Sql, sql, whole } from "./sql.ts";

/**
 * Puts the rows of both periods side by side: `is_now` is 1 if the reported period has the row, and each
 * measure has its previous value. If one period lacks a row, its counts are 0 and its shares null.
 * @param rows the measured rows, marked by `is_then`
 */
export function pairPeriods(plan: Plan, rows: Sql): Sql {
  const { query, keys, measures } = plan;
  const { only, top, compare } = query;
  const pick = (isThen: number, value: Sql) => sql`max(${value}) filter (where is_then = ${whole(isThen)})`;
  const ofNow = [...(only ? [inState] : []), ...(top === undefined ? [] : ["ranking"])];
  const both = [
    ...keys.map(name),
    as(pick(0, whole(1)), "is_now"),
    as(pick(1, whole(1)), "is_before"),
    ...ofNow.map((one) => as(pick(0, name(one)), one)),
    ...measures.flatMap((one) => [as(pick(0, name(one)), one), as(pick(1, name(one)), `${one}_then`)]),
  ];
  const filled = [
    ...[...keys, "is_now", ...ofNow].map(name),
    ...measures.flatMap((one) => {
      const measure = plan.report.measures[one] as Measure;
      if (measure.isUncompared) return [name(one)];
      const now = fill(plan, measure, [one, `${one}_then`, "is_now"]);
      const then = compare?.isPossible
        ? fill(plan, measure, [`${one}_then`, one, "is_before"])
        : sql`cast(null as ${name(measure.unit === "share" ? "double" : "bigint")})`;
      return [as(now, one), as(then, `${one}_then`)];
    }),
  ];
  return sql`select${columns(filled)}\nfrom (\nselect${columns(both)}\nfrom ${rows}${groupBy(keys.length)}\n) as r`;
}

/** A missing row has counts of 0, unless the other row has no count either. A total is never missing. */
function fill({ keys }: Plan, { unit }: Measure, [value, other, exists]: [string, string, string]): Sql {
  if (unit === "share") return name(value);
  const isCounted = keys.length === 0 ? sql`` : sql` and ${name(other)} is not null`;
  return sql`case when ${name(exists)} is null${isCounted} then 0 else ${name(value)} end`;
}
