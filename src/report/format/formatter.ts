import type { Link } from "../address/address.ts";
import type { Siblings } from "../html/frame/render-page.ts";
import type { CellLink } from "../html/render-rows.ts";
import type { Report } from "../result-types.ts";
import { describeScope } from "../text/titles.ts";

export interface FormatOptions {
  /** True on a terminal: tables begin with the answer, fit the width and format numbers. @default false */
  isTerminal?: boolean;
  /** Width in terminal columns; without it, a table is as wide as its content needs. */
  width?: number;
  /** Shows every column on a terminal, whatever its width. @default false */
  isWide?: boolean;
  /** Colours the output, for terminals. @default false */
  useColour?: boolean;
  /** Flags that show the columns hidden on a narrow terminal. @default the flags of reports */
  showsAll?: string;
  /** Begins a CSV with a byte order mark; without it, some spreadsheets read UTF-8 as Latin-1. @default false */
  bom?: boolean;
  /** Writes workbooks for programs: column names as headers, durations in seconds. @default false, for people */
  raw?: boolean;
  /** Name of a CSV file in the same folder that contains every row. */
  csvFile?: string;
  /** Pages in the same folder, which has an index. */
  siblings?: Siblings;
  /** Links numbers on a page to their details. @default no links */
  link?: Link;
  /** Links the names in rows. @default no links */
  hrefOf?: CellLink;
  /** Temporary folder for formats that cannot be written sequentially. @default the system's */
  tempDir?: string;
}

export type Formatter = (report: Report, options?: FormatOptions) => AsyncIterable<string | Uint8Array>;

export function formatHeading(report: Report): {
  title: string;
  details: string;
} {
  const { title, dataAsOf, version } = report;
  const details = [...describeScope(report), `data as of ${dataAsOf ?? "unknown"}`, version];
  return { title, details: details.join(" · ") };
}

export function formatRowCount(rows: number): string {
  return rows === 1 ? "1 row" : `${rows} rows`;
}
