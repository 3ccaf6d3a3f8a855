import type { ReportColumn } from "../report.ts";
import { partOfSpan, type Span } from "../text/spans.ts";

/** The columns of weeks and months with a mark on those that are only part of one. */
export function markSpans(
  columns: readonly ReportColumn[],
  spans: Readonly<Record<string, readonly Span[]>>,
): ReportColumn[] {
  return columns.map((column, position) => {
    const parts = spans[column.name]?.filter(({ data }) => data === "part") ?? [];
    if (parts.length === 0) return column;
    const marks = new Map(parts.map((span) => [span.name, partOfSpan(span)]));
    return { ...column, mark: (row) => marks.get(String(row[position])) };
  });
}
