import { addDays } from "../../util/local-date.ts";

/** How many rows a table has on a local date (`YYYY-MM-DD`). */
export interface DayRows {
  date: string;
  rows: number;
}

/** Consecutive days of a month that share a file. */
export interface MonthPart {
  /** Within the month's folder. It tells the first day: a file keeps its name while later days are added. */
  name: string;
  /** Local dates, both inclusive. */
  from: string;
  to: string;
  rows: number;
}

/**
 * Parts a month into files: a file ends with the day on which it has `rowsPerFile` rows, so that a day that changes
 * costs no more than its own file, however much plays in a month. Days that are added later move no cut before them.
 * @param month `YYYY-MM`
 * @param days of the month, in order; those without rows may be missing
 */
export function partMonth(month: string, days: readonly DayRows[], rowsPerFile: number): MonthPart[] {
  const parts: MonthPart[] = [];
  let part: MonthPart | undefined;
  for (const { date, rows } of days) {
    if (!part || part.rows >= rowsPerFile) {
      const from = part ? addDays(part.to, 1) : `${month}-01`;
      part = { name: part ? `data-${from.slice(-2)}.parquet` : "data.parquet", from, to: date, rows: 0 };
      parts.push(part);
    }
    part.to = date;
    part.rows += rows;
  }
  return parts;
}
