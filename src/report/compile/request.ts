import type { AttributeEntity } from "../../mart/attribute.ts";

/** Local dates, inclusive. */
export interface Period {
  from: string;
  to: string;
}

/** One aggregate report as requested: names are resolved to ids, and periods to dates. */
export interface ReportQuery {
  /** Dimensions of the report and names of attributes. Without any, the result is one row. */
  by: readonly string[];
  /** Ids, kinds and other values, keyed by filter; several values are alternatives. @default no filter */
  where?: Readonly<Record<string, readonly (string | number)[]>>;
  /** Attributes that group or filter rows. @default none */
  attributes?: readonly QueriedAttribute[];
  period: Period;
  compare?: QueriedComparison;
  /** Only rows with data in one of these states. @default all rows */
  only?: readonly string[];
  /** Maximum rows, largest first. @default all rows */
  top?: number;
  /** Dimensions and attributes: `top` limits the rows for each of their values. @default all rows together */
  per?: readonly string[];
  /** Measures to compute, in column order. @default all */
  measures?: readonly string[];
}

/** One list as requested. */
export type ListQuery = Partial<Pick<ReportQuery, "where" | "attributes" | "period" | "only" | "top">>;

/** @throws {Error} without a period */
export function getPeriod({ period }: Partial<Pick<ReportQuery, "period">>): Period {
  if (period === undefined) throw new Error("the report needs a period");
  return period;
}

export interface QueriedAttribute {
  subject: AttributeEntity;
  name: string;
  /** Only rows with one of these values; an empty list means all rows. */
  values: readonly string[];
}

/** The other period of a comparison. Rows of both are paired by their dimensions. */
interface QueriedComparison {
  period: Period;
  /** Pairs time steps: a step of the other period plus the shift is a step of the reported period. */
  shift: Shift;
  /** False if previous values are unknown and therefore null. */
  isPossible: boolean;
}

/** A difference between two periods, in steps of each size. */
export interface Shift {
  days: number;
  weeks: number;
  months: number;
  quarters: number;
}

export const noShift: Shift = { days: 0, weeks: 0, months: 0, quarters: 0 };
