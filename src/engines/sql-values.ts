/** A value as reports, checks and tests see it. */
export type SqlValue = string | number | bigint | boolean | null | SqlValue[] | { [name: string]: SqlValue };
export type SqlRow = Record<string, SqlValue>;

/** A whole number as `number` where that is exact. */
export function narrow(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}
