import type { Choice } from "./choose.ts";
import { listOrder } from "./order.ts";
import { columns } from "./select-pass.ts";
import { as, join, name, nothing, quoted, type Sql, sql } from "./sql.ts";

/** Selects the columns of the rows `shown`, with names, in order. */
export function selectShown(choice: Choice): Sql {
  const { report, query, dimensions, measures } = choice;
  const { compare, top } = query;
  const selected = new Map<string, Sql>();
  const labels = new Set<Sql>();
  for (const [word, dimension] of dimensions) {
    const named = word in report.dimensions ? name : quoted;
    for (const [column, { of }] of Object.entries(dimension.columns))
      selected.set(column, sql`${of} as ${named(column)}`);
    const paired = compare ? (dimension.paired?.(compare.shift) ?? {}) : {};
    for (const [column, of] of Object.entries(paired)) selected.set(column, as(of, column));
    if (dimension.label) labels.add(dimension.label);
  }
  for (const one of measures) {
    const [now, then] = [sql`r.${name(one)}`, sql`r.${name(`${one}_then`)}`];
    selected.set(one, now);
    if (!compare || report.measures[one]?.isUncompared) continue;
    selected.set(`${one}_then`, then);
    selected.set(`${one}_change`, as(sql`${now} - ${then}`, `${one}_change`));
  }
  const order = listOrder(choice, top !== undefined);
  const joined = [...labels].map((label) => sql`\n${label}`);
  return sql`select${columns([...selected.values()])}\nfrom shown as r${join(joined, "")}${
    order.length > 0 ? sql`\norder by ${join(order)}` : nothing
  }`;
}
