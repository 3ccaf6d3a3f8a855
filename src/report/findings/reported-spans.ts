import { markSpans } from "../columns/mark-spans.ts";
import type { ReportColumn } from "../report.ts";
import { dayData } from "../text/data-end.ts";
import { listSpans, sayPartSpans } from "../text/spans.ts";
import type { ReportedDays } from "./reported-days.ts";

const spanWords = ["week", "month"] as const;

/** A report's columns, with days, weeks and months marked that the period or its data has only in part, and notes that say so. */
export function noteSpans(
  columns: readonly ReportColumn[],
  { period, dataDays }: ReportedDays,
): { columns: ReportColumn[]; notes: string[] } {
  const shown = spanWords.filter((word) => columns.some(({ name }) => name === word));
  const spans = Object.fromEntries(shown.map((word) => [word, listSpans(word, period, dataDays)]));
  return {
    columns: markSpans(columns, spans).map((column, position) =>
      column.name === "date"
        ? {
            ...column,
            mark: (row) => (dayData(String(row[position]), dataDays) === "part" ? "part" : undefined),
          }
        : column,
    ),
    notes: shown.flatMap((word) => sayPartSpans(word, spans[word] ?? []) ?? []),
  };
}
