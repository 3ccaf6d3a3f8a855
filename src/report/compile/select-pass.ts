import type { Aggregate, Join } from "../catalog/aggregate-report.ts";
import type { Pass, Plan } from "./choose.ts";
import type { Period, ReportQuery, Shift } from "./request.ts";
import { and, as, date, join, name, nothing, type Sql, sql, whole } from "./sql.ts";

/** A period to read; in a comparison, `isThen` distinguishes the two. */
export interface Reading {
  period: Period;
  shift: Shift;
  /** @default no comparison */
  isThen?: boolean;
}

/**
 * Selects the keys and aggregates of a pass over one period, with null for the aggregates of other passes.
 * @param aggregates columns to select
 * @param leading condition for rows of leaders
 */
export function selectPass(
  plan: Plan,
  pass: Pass,
  { period, shift, isThen }: Reading,
  { aggregates, leading }: { aggregates: readonly string[]; leading?: Sql },
): Sql {
  const { source, nested, bits } = pass;
  const keys = [...plan.dimensions.values()].flatMap((dimension) =>
    Object.entries(dimension.keys).map(([key, of]) => as(typeof of === "function" ? of(shift) : of, key)),
  );
  const flag = isThen === undefined ? [] : [as(whole(isThen ? 1 : 0), "is_then")];
  const sums = aggregates.map((one) => {
    const aggregate = plan.aggregates.get(one) as Aggregate;
    return as(pass.aggregates.includes(one) ? sumUp(aggregate, pass) : nullOf(aggregate), one);
  });
  const conditions = [
    sql`f.date between ${date(period.from)} and ${date(period.to)}`,
    ...(source.where ? [source.where] : []),
    ...plan.conditions.map(({ where }) => where(period)),
    ...(nested?.where ? [nested.where] : []),
    ...(leading ? [leading] : []),
  ];
  const rows = typeof source.rows === "function" ? source.rows(period, plan.query) : source.rows;
  const from = sql`from ${rows} as f${listJoins(plan, pass, period)}\nwhere ${and(conditions)}`;
  if (!nested)
    return sql`select${columns([...keys, ...flag, ...sums])}\n${from}${groupBy(keys.length, bits && [bits.block])}`;
  const names = plan.keys.map((key) => sql`n.${name(key)}`);
  const grouped = [...keys, ...list(nested.keys), ...list(nested.sums)];
  const places = [...plan.dimensions.values()].flatMap((one) => (one.isOutcome ? [] : Object.keys(one.keys)));
  const over =
    places.length === 0 ? nothing : sql`partition by ${join(places.map((key) => sql`n.${name(key)}`))}`;
  const inner = sql`select${columns(grouped)}\n${from}${groupBy(keys.length + Object.keys(nested.keys).length)}`;
  const windowed = sql`select${columns([sql`n.*`, ...list(nested.windows(over))])}\nfrom (\n${inner}\n) as n`;
  return sql`select${columns([...names, ...flag, ...sums])}\nfrom (\n${windowed}\n) as n${groupBy(keys.length)}`;
}

function listJoins(plan: Plan, pass: Pass, period: Period): Sql {
  const used = [
    ...[...plan.dimensions.values()].flatMap(({ joins = [] }) => joins),
    ...plan.conditions.flatMap(({ joins }) => joins),
    ...pass.aggregates.flatMap((one) => plan.aggregates.get(one)?.joins ?? []),
  ];
  return joinRows(used, plan.query, period);
}

/** Joins relations, each only once. */
export function joinRows(used: readonly Join[], query: ReportQuery, period: Period): Sql {
  const joins = [...new Set(used)].map((one) => (typeof one === "function" ? one(query, period) : one));
  return join(
    joins.map((one) => sql`\n${one}`),
    "",
  );
}

/** A pass with bits has one row per block; `mergeParts` counts the bits. */
function sumUp(aggregate: Aggregate, { bits }: Pass): Sql {
  const { is, of } = aggregate;
  if (is === "sum") return sql`cast(sum(${of}) as bigint)`;
  if (is !== "distinct") return sql`${name(is)}(${of})`;
  return bits && aggregate.bits
    ? sql`bitwise_or_agg(bitwise_left_shift(cast(1 as bigint), cast(${bits.bit} as integer)))`
    : sql`count(distinct ${of})`;
}

function nullOf(aggregate: Aggregate): Sql {
  return sql`cast(null as ${name(("type" in aggregate && aggregate.type) || "bigint")})`;
}

/**
 * Adds up the parts of each row. Each aggregate has values in a single pass.
 * @param parts a relation with the keys, `flags` and aggregates
 */
export function mergeParts(plan: Plan, parts: Sql, flags: readonly string[], others: readonly Sql[]): Sql {
  const merged = [...plan.aggregates].map(([one, aggregate]) => {
    const { is } = aggregate;
    const isBits = plan.passes.some(
      ({ bits, aggregates }) => bits && "bits" in aggregate && aggregates.includes(one),
    );
    const part = isBits ? sql`bit_count(${name(one)}, 64)` : name(one);
    return as(
      is === "min" || is === "max" ? sql`${name(is)}(${part})` : sql`cast(sum(${part}) as bigint)`,
      one,
    );
  });
  const keys = [...plan.keys, ...flags];
  return sql`select${columns([...keys.map(name), ...merged, ...others])}\nfrom ${parts}${groupBy(keys.length)}`;
}

export function columns(all: readonly Sql[]): Sql {
  return sql`\n    ${join(all, ",\n    ")}`;
}

function list(named: Readonly<Record<string, Sql>>): Sql[] {
  return Object.entries(named).map(([column, of]) => as(of, column));
}

/** Groups by the first `count` columns and by `others`. Without any of these, the result is one row. */
export function groupBy(count: number, others: readonly Sql[] = []): Sql {
  const all = [...Array.from({ length: count }, (_, index) => whole(index + 1)), ...others];
  return all.length === 0 ? nothing : sql`\ngroup by ${join(all)}`;
}
