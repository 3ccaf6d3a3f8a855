import type { Report } from "../report.ts";

export interface FormatOptions {
  /** Columns of the terminal; a table without takes what room it needs. */
  width?: number;
  /** For terminals. @default false */
  useColour?: boolean;
}

/** Writes a report piece by piece, while its rows come. */
export type Formatter = (report: Report, options?: FormatOptions) => AsyncIterable<string | Uint8Array>;
