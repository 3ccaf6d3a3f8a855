/** A text as SQL writes it, for what can't be bound, such as file names. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name as SQL writes it. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** An instant as DuckDB reads a naive UTC timestamp: `2026-11-21 08:00:00.000`. */
export function sqlTimestamp(instant: Date): string {
  return instant.toISOString().replace("T", " ").replace("Z", "");
}

/** A path for a reader that takes patterns: what means something in one stands for itself. */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[]/g, "[$&]");
}

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
