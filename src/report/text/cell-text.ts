import stringWidth from "string-width";
import { sanitizeText } from "../../util/text/escaping.ts";
import type { ReportColumn, ReportRow, ReportValue } from "../report.ts";

/** Formats a value for readers; `row` adds the column's mark, if any. */
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

/** Formats a share; only exact values show 100.0 % and 0.0 %. */
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

/** Converts a local time to the same form without a Z, because only its zone has the offset. */
export function formatLocalTime(text: string): string {
  return text
    .replace(" ", "T")
    .replace(/\.(\d*?)0*$/, (_all, digits: string) => (digits ? `.${digits}` : ""));
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const asciiOnly = /^[\x20-\x7e]*$/;

/** Returns one line without control characters, for a terminal. */
export function toSingleLine(text: string): string {
  return asciiOnly.test(text) ? text : sanitizeText(text, "↵");
}

/** Returns a line's width on a terminal, in columns: an ideograph takes two, an accent none. */
export function displayWidth(text: string): number {
  return asciiOnly.test(text) ? text.length : stringWidth(text);
}

export function truncate(text: string, width: number): string {
  if (asciiOnly.test(text)) return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
  // Only the beginning of a very long text is measured, because the rest is cut anyway.
  const beginning = text.slice(0, width * 16 + 64);
  if (beginning === text && displayWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of graphemes.segment(beginning)) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function truncateStart(text: string, width: number): string {
  if (asciiOnly.test(text))
    return text.length <= width ? text : `…${text.slice(text.length - Math.max(0, width - 1))}`;
  const end = text.slice(-(width * 16 + 64));
  if (end === text && displayWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of [...graphemes.segment(end)].reverse()) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    kept = segment + kept;
  }
  return `…${kept}`;
}

export function pad(text: string, width: number, alignRight: boolean): string {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  return alignRight ? blanks + text : text + blanks;
}
