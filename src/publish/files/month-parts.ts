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
 * Parts days of a month into files: a file ends with the day on which it has `rowsPerFile` rows, so that a day that changes
 * costs no more than its own file, however much plays in a month. Days that are added later move no cut before them.
 * @param from `YYYY-MM-DD`, with which a file begins
 * @param days from there on, in order; those without rows may be missing
 */
export function partDays(from: string, days: readonly DayRows[], rowsPerFile: number): MonthPart[] {
  const parts: MonthPart[] = [];
  let part: MonthPart | undefined;
  for (const { date, rows } of days) {
    if (!part || part.rows >= rowsPerFile) {
      const start = part ? addDays(part.to, 1) : from;
      const day = start.slice(-2);
      part = { name: day === "01" ? "data.parquet" : `data-${day}.parquet`, from: start, to: date, rows: 0 };
      parts.push(part);
    }
    part.to = date;
    part.rows += rows;
  }
  return parts;
}

/** The first day (`YYYY-MM-DD`) of a file that `partDays` names, in the folder of its month. */
export function firstDayOf(path: string): string | undefined {
  const [, month, day = "01"] = /month=(\d{4}-\d{2})\/data(?:-(\d{2}))?\.parquet$/.exec(path) ?? [];
  return month && `${month}-${day}`;
}
