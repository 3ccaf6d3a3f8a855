import type { Dimension } from "../catalog/aggregate-report.ts";
import type { Choice, Plan } from "./choose.ts";
import { and, int, join, name, nothing, type Sql, sql } from "./sql.ts";

/** Returns the total order of a report's rows `r`. With `top`, ranked rows come first in their groups. */
export function listOrder(plan: Choice, isRanked = false): Sql[] {
  if (isRanked) return [...listGroupKeys(plan), sql`r.place`];
  const { report, dimensions } = plan;
  const attributes = [...dimensions.keys()].filter((word) => !(word in report.dimensions));
  return [...attributes, ...report.order].flatMap((word) => {
    const dimension = dimensions.get(word);
    return dimension ? [...(dimension.order ?? keysOf(dimension))] : findImplied(plan, word);
  });
}

/**
 * Selects the `top` rows of each group, with their `place`: the largest first, and equal rows in the report's order.
 */
export function rankRows(plan: Plan, rows: Sql, ranking: Sql): Sql {
  const groups = listGroupKeys(plan);
  const partition = groups.length > 0 ? sql`partition by ${join(groups)} ` : nothing;
  return sql`select *
from (
select r.*, row_number() over (${partition}order by ${join([sql`${ranking} desc`, ...listOrder(plan)])}) as place
from (\n${rows}\n) as r
) as ranked
where place <= ${int(plan.query.top ?? 0)}`;
}

/** Returns a condition for source rows that may belong to a leading row, using the keys that are source columns. */
export function isLeading({ dimensions }: Plan): Sql {
  const conditions = [...dimensions.values()].flatMap(({ keys }) =>
    Object.entries(keys).flatMap(([key, of]) => {
      if (typeof of === "function" || of.text !== `f.${key}`) return [];
      const found = sql`select ${name(key)} from leader where ${name(key)} is not null`;
      return [sql`(${of} is null or ${of} in (${found}))`];
    }),
  );
  return conditions.length > 0 ? and(conditions) : sql`true`;
}

/** Returns the columns that identify a group of `per`. */
function listGroupKeys(plan: Choice): Sql[] {
  return (plan.query.per ?? []).flatMap((word) => {
    const dimension = plan.dimensions.get(word);
    if (!dimension) return findImplied(plan, word);
    return [...Object.values(dimension.implies ?? {}), ...keysOf(dimension)];
  });
}

function findImplied({ dimensions }: Choice, word: string): Sql[] {
  return [...dimensions.values()].flatMap(({ implies }) => implies?.[word] ?? []).slice(0, 1);
}

function keysOf({ keys }: Dimension): Sql[] {
  return Object.keys(keys).map((key) => sql`r.${name(key)}`);
}
