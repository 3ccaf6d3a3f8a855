import type { Report } from "../report.ts";

export interface FormatOptions {
  /** Columns of the terminal; a table without takes what room it needs. */
  width?: number;
  /** For terminals. @default false */
  useColour?: boolean;
  /** Bars beside shares, where there is room. @default false */
  showBars?: boolean;
  /** A byte order mark before a CSV: without one, some spreadsheets take UTF-8 for Latin-1. @default false */
  bom?: boolean;
  /** Name of a file beside the one that is written, which holds every row as CSV. */
  csvFile?: string;
  /** Where a format that can't be written from front to back keeps what it has. @default the system's */
  tempDir?: string;
}

/** Writes a report piece by piece, while its rows come. */
export type Formatter = (report: Report, options?: FormatOptions) => AsyncIterable<string | Uint8Array>;
