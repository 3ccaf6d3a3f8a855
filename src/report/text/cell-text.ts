import type { ReportColumn, ReportRow, ReportValue } from "../report.ts";

/** A value as people read it. @param row that it stands in: its column may have a mark for it */
export function cellText(value: ReportValue, { type, mark }: ReportColumn, row?: ReportRow): string {
  if (value === null) return "";
  const text = row && mark?.(row);
  if (text !== undefined) return `${value} (${text})`;
  if (type === "share" && typeof value === "number") return percentText(value);
  if (type === "boolean") return value ? "yes" : "no";
  return String(value);
}

export function isNumeric({ type }: ReportColumn): boolean {
  return type === "integer" || type === "number" || type === "share";
}

/** A share as people read it. One decimal; 100.0 % and 0.0 % are said only of all and nothing. */
export function percentText(share: number): string {
  if (!Number.isFinite(share)) return String(share);
  const percent = share * 100;
  const rounded = percent.toFixed(1);
  if (rounded === "100.0" && share < 1) return "99.9 %";
  if (rounded === "0.0" && share > 0) return "0.1 %";
  return `${rounded} %`;
}
