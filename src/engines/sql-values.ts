/** A value as reports, checks and tests see it. */
export type SqlValue = string | number | bigint | boolean | null | SqlValue[] | { [name: string]: SqlValue };
export type SqlRow = Record<string, SqlValue>;

/** A decimal as a `number` if its digits survive that (15 at most); a longer one stays the text of its digits. */
export function narrowDecimal(text: string): number | string {
  const digits = text.replace(/[-.]/g, "").replace(/^0+/, "");
  return digits.length <= 15 ? Number(text) : text;
}

/** A whole number as `number` where that is exact. */
export function narrow(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}
