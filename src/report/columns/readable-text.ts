import type { ReportColumn, ReportRow, ReportValue } from "../report.ts";
import { cellText } from "../text/cell-text.ts";
import { countText, durationText, sizeText } from "../text/people-text.ts";
import { changeMark } from "./change-parts.ts";
import { unitOf } from "./people-order.ts";

/** A value as people read it: counts in groups of three, times in hours and minutes, instants without letters. */
export function readableText(value: ReportValue, column: ReportColumn, row?: ReportRow): string {
  const change = changeMark(value, column);
  if (change !== undefined) return change;
  const text = cellText(value, column, row);
  const unit = unitOf(column);
  if (column.type === "instant") return text.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
  if (column.type === "local_time") return text.replace("T", " ");
  if (typeof value !== "number" && typeof value !== "bigint") return text;
  if (!Number.isFinite(Number(value))) return text;
  if (unit === "bytes") return sizeText(Number(value));
  if (unit === "seconds") return durationText(Number(value));
  // The number of something is read in groups of three; the number that is its name is not.
  return unit === "count" ? countText(value) : text;
}
