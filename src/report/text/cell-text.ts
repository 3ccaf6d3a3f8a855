import { sanitizeText } from "../../util/text/escaping.ts";
import type { ReportColumn, ReportRow, ReportValue } from "../result-types.ts";

/** Formats a value for readers; `row` adds the column's suffix, if any. */
export function formatCellText(value: ReportValue, { type, mark }: ReportColumn, row?: ReportRow): string {
  if (value === null) return "";
  const text = row && mark?.(row);
  if (text !== undefined) return `${value} (${text})`;
  if (type === "share" && typeof value === "number") return formatPercent(value);
  if (type === "boolean") return value ? "yes" : "no";
  return String(value);
}

export function isNumeric({ type }: ReportColumn): boolean {
  return type === "integer" || type === "number" || type === "share";
}

/** Formats a ratio; only exact values become 100.0 % and 0.0 %. */
export function formatPercent(share: number, decimals = 1): string {
  if (!Number.isFinite(share)) return String(share);
  const percent = share * 100;
  const rounded = percent.toFixed(decimals);
  const least = 10 ** -decimals;
  if (Number(rounded) === 100 && share < 1) return `${(100 - least).toFixed(decimals)} %`;
  if (Number(rounded) === 0 && share > 0) return `${least.toFixed(decimals)} %`;
  return `${rounded} %`;
}

/** Converts DuckDB's UTC timestamp or an ISO instant to `YYYY-MM-DDTHH:MM:SSZ`; keeps fractional seconds. */
export function formatInstant(text: string): string {
  const local = formatLocalTime(text.replace(/Z$/, ""));
  return /^\d{4}-/.test(local) ? `${local}Z` : local;
}

/** Converts a local time to the same form without a Z, because its offset depends on its zone. */
export function formatLocalTime(text: string): string {
  return text
    .replace(" ", "T")
    .replace(/\.(\d*?)0*$/, (_all, digits: string) => (digits ? `.${digits}` : ""));
}

const asciiOnly = /^[\x20-\x7e]*$/;

/** Returns one line without control characters, for a terminal. */
export function toSingleLine(text: string): string {
  return asciiOnly.test(text) ? text : sanitizeText(text, "↵");
}
