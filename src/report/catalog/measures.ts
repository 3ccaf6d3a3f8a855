import type { Definition } from "../../mart/column-definition.ts";
import { name, type Sql, sql } from "../compile/sql.ts";
import type { Aggregate, Measure } from "./aggregate-report.ts";

/** Returns sums of columns of the sources, each named like its column. */
export function sums(...columns: string[]): Record<string, Aggregate> {
  return Object.fromEntries(columns.map((one) => [one, { is: "sum", of: sql`f.${name(one)}` }]));
}

export function countIf(condition: Sql): Aggregate {
  return { is: "sum", of: sql`case when ${condition} then 1 else 0 end` };
}

/** Returns an aggregate unchanged, or 0 without source rows. */
export function amount(aggregate: string, definition: Definition): Measure {
  return { ...definition, of: sql`coalesce(r.${name(aggregate)}, 0)` };
}

/** Divides integers; null if the divisor is 0. */
export function ratio(part: Sql, total: Sql): Sql {
  return sql`cast(${part} as double) / nullif(${total}, 0)`;
}
