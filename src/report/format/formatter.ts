import type { CellLink } from "../html/render-rows.ts";
import type { Report } from "../report.ts";
import { scopeOf } from "../text/titles.ts";

export interface FormatOptions {
  /**
   * Whether people look at it as it comes: a table then begins with the answer, shows the columns that fit, and writes
   * numbers as people read them. @default false
   */
  isTerminal?: boolean;
  /** Columns of the terminal; a table without takes what room it needs. */
  width?: number;
  /** Every column on a terminal, however wide that is. @default false */
  isWide?: boolean;
  /** For terminals. @default false */
  useColour?: boolean;
  /** What shows the columns that a terminal has no room for. @default the flags of reports */
  showsAll?: string;
  /** A byte order mark before a CSV: without one, some spreadsheets take UTF-8 for Latin-1. @default false */
  bom?: boolean;
  /** Name of a file beside the one that is written, which holds every row as CSV. */
  csvFile?: string;
  /** Reports whose pages lie beside this one, with an index. */
  pagesBeside?: readonly string[];
  /** Where the names of its rows lead. @default nowhere */
  hrefOf?: CellLink;
  /** Where a format that can't be written from front to back keeps what it has. @default the system's */
  tempDir?: string;
}

/** Writes a report piece by piece, while its rows come. */
export type Formatter = (report: Report, options?: FormatOptions) => AsyncIterable<string | Uint8Array>;

/** What stands above a report: its title apart, then what it covers and how fresh it is. */
export function headingOf(report: Report): {
  title: string;
  details: string;
} {
  const { title, dataAsOf, version } = report;
  const details = [...scopeOf(report), `data as of ${dataAsOf ?? "unknown"}`, version];
  return { title, details: details.join(" · ") };
}

/** E.g. `1 row`. */
export function rowCount(rows: number): string {
  return rows === 1 ? "1 row" : `${rows} rows`;
}
