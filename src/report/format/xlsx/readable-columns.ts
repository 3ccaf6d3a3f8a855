import { figureOfColumn } from "../../figures.ts";
import type { Report, ReportColumn } from "../../result-types.ts";

/** A column of a sheet. */
export interface SheetColumn extends ReportColumn {
  /** @default its name */
  header?: string;
  /** Writes seconds as spans of time. @default as numbers of seconds */
  span?: "hours and minutes" | "with seconds" | "change in hours";
}

/**
 * Returns a report's columns for people: labels instead of names, seconds as spans of time, and suffixes only after
 * names that repeat. A query's columns keep their names.
 */
export function listReadableColumns({ name, columns }: Pick<Report, "name" | "columns">): SheetColumn[] {
  if (name === undefined) return listRawColumns(columns);
  const labels = columns.map((column) => figureOfColumn(column, name).label);
  return columns.map((column, index) => {
    const { mark, ...plain } = column;
    const label = labels[index] ?? column.name;
    const isChange = column.compared?.is === "change";
    const isSpan = column.unit === "seconds";
    const isShared = labels.filter((one) => one === label).length > 1;
    return {
      ...plain,
      header: `${label}${isSpan && isChange ? " (hours)" : isShared ? ` (${column.name})` : ""}`,
      ...(mark && column.name.endsWith("_name") && { mark }),
      ...(isSpan && {
        // A sheet can't show negative times.
        span: isChange
          ? "change in hours"
          : column.name === "duration_secs"
            ? "with seconds"
            : "hours and minutes",
      }),
    };
  });
}

/** Returns the columns for programs, with names, numbers and texts unchanged. */
export function listRawColumns(columns: readonly ReportColumn[]): SheetColumn[] {
  return columns.map(({ mark: _mark, ...column }) => column);
}
