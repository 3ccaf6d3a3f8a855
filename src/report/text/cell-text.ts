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

/** A share as people read it; 100.0 % and 0.0 % are said only of all and nothing. */
export function percentText(share: number, decimals = 1): string {
  if (!Number.isFinite(share)) return String(share);
  const percent = share * 100;
  const rounded = percent.toFixed(decimals);
  const least = 10 ** -decimals;
  if (Number(rounded) === 100 && share < 1) return `${(100 - least).toFixed(decimals)} %`;
  if (Number(rounded) === 0 && share > 0) return `${least.toFixed(decimals)} %`;
  return `${rounded} %`;
}
