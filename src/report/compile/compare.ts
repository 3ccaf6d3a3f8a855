import { columns, groupBy } from "./select-pass.ts";
import { as, name, type Sql, sql, whole } from "./sql.ts";

/** Rows of two periods; in those of the other period, `is_then` is 1. */
interface PairedRows {
  /** Columns that identify a row of a period. */
  keys: readonly string[];
  measures: readonly PairedMeasure[];
  /** Columns whose values in the other period are omitted. @default none */
  ofNow?: readonly string[];
  /** False if previous values are unknown and therefore null. */
  isPossible: boolean;
}

interface PairedMeasure {
  measure: string;
  /** True if the measure is blank rather than 0 in a period that lacks the row, as for ratios. */
  isBlank: boolean;
  /** @default false */
  isUncompared?: boolean | undefined;
}

/**
 * Puts the rows of both periods side by side: `is_now` is 1 if the reported period has the row, and each measure is
 * followed by its previous value. If one period lacks a row, its measures are 0 or null.
 */
export function pairPeriods({ keys, measures, ofNow = [], isPossible }: PairedRows, rows: Sql): Sql {
  const pick = (isThen: number, value: Sql) => sql`max(${value}) filter (where is_then = ${whole(isThen)})`;
  const both = [
    ...keys.map(name),
    as(pick(0, whole(1)), "is_now"),
    as(pick(1, whole(1)), "is_before"),
    ...ofNow.map((one) => as(pick(0, name(one)), one)),
    ...measures.flatMap(({ measure: one }) => [
      as(pick(0, name(one)), one),
      as(pick(1, name(one)), `${one}_then`),
    ]),
  ];
  const filled = [
    ...[...keys, "is_now", ...ofNow].map(name),
    ...measures.flatMap(({ measure: one, isBlank, isUncompared }) => {
      if (isUncompared) return [name(one)];
      const isTotal = keys.length === 0;
      const fill = (value: string, other: string, exists: string) =>
        isBlank ? name(value) : fillMissing({ value, other, exists, isTotal });
      const then = isPossible
        ? fill(`${one}_then`, one, "is_before")
        : sql`cast(null as ${name(isBlank ? "double" : "bigint")})`;
      return [as(fill(one, `${one}_then`, "is_now"), one), as(then, `${one}_then`)];
    }),
  ];
  return sql`select${columns(filled)}\nfrom (\nselect${columns(both)}\nfrom ${rows}${groupBy(keys.length)}\n) as r`;
}

/** A missing row has counts of 0, unless the other row has no count either. A total is never missing. */
function fillMissing({
  value,
  other,
  exists,
  isTotal,
}: Record<"value" | "other" | "exists", string> & { isTotal: boolean }): Sql {
  const isCounted = isTotal ? sql`` : sql` and ${name(other)} is not null`;
  return sql`case when ${name(exists)} is null${isCounted} then 0 else ${name(value)} end`;
}
