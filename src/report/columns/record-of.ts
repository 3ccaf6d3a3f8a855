import type { ReportColumn, ReportRow, ReportValue } from "../report.ts";

/** A report's row, its values by the names of their columns. */
export function recordOf(
  columns: readonly Pick<ReportColumn, "name">[],
  row: ReportRow,
): Record<string, ReportValue> {
  return Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));
}
