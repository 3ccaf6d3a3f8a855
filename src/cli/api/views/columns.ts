import type { ReportColumn, ReportRow, ReportValue } from "../../../report/report.ts";
import { singleLine } from "../../../report/text/display-text.ts";

/** Records, all there or still to come. */
export type Listing<Item> = AsyncIterable<Item> | Iterable<Item>;

/** A column of a table of records. */
export interface Column extends ReportColumn {
  /** Where the value stands in the record: `location.name`. Of a list its length is shown. */
  path: string;
}

export function text(path: string, name = path): Column {
  return { name, path, type: "text" };
}

export function number(path: string, name = path): Column {
  return { name, path, type: "number" };
}

export async function* rowsOf(items: Listing<object>, columns: readonly Column[]): AsyncGenerator<ReportRow> {
  for await (const item of items) yield columns.map((column) => cellOf(item, column));
}

/** A record's value for a column: texts as a terminal may show them. */
function cellOf(record: object, { path }: Column): ReportValue {
  const steps = path in record ? [path] : path.split(".");
  const value = steps.reduce<unknown>(
    (at, key) => (at as Record<string, unknown> | null | undefined)?.[key],
    record,
  );
  return displayValue(Array.isArray(value) && value.some(isObject) ? value.length : value);
}

/** A value as one cell: what is nested becomes JSON. */
export function displayValue(value: unknown): ReportValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value) && !value.some(isObject)) return singleLine(value.join(", "));
  return singleLine(typeof value === "string" ? value : JSON.stringify(value));
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
