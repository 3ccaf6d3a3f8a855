import type { DuckDbStream } from "../engines/duckdb/duckdb.ts";
import type { SqlStream } from "../engines/engine.ts";
import type { Unit } from "../mart/column-definition.ts";
import type { ReportPage } from "./html/report-page.ts";
import type { ReportName } from "./report-name.ts";
import type { DataDays } from "./text/spans.ts";

/**
 * What a column's values are, and so how they are written:
 *
 * - `integer`: `number`, or `bigint` beyond 2^53; `number`: any other number, or the text of a decimal of more
 *   than 15 digits
 * - `share`: 0 to 1; people read it as percent
 * - `date`: `YYYY-MM-DD`
 * - `instant`: `YYYY-MM-DDTHH:MM:SSZ`; `local_time`: the same without Z, on the zone's own clock
 */
export type ColumnType =
  | "text"
  | "integer"
  | "number"
  | "share"
  | "date"
  | "instant"
  | "local_time"
  | "boolean";

export interface ReportColumn {
  /** Unique within the report. */
  name: string;
  type: ColumnType;
  /** Of a query's column its name and type tell. */
  unit?: Unit;
  /** Of a number that is no double: its digits in all, and those after the point. */
  decimal?: { width: number; scale: number };
  /** A last column of sentences: on a terminal they go on in further lines, where other texts are cut short. */
  wraps?: boolean;
  /** Of a figure's value in the period that is compared with, and of the change since then: which figure's. */
  compared?: { of: string; is: "then" | "change" };
  /** What people read behind a row's value, in parentheses; machines get the value alone. */
  mark?: (row: ReportRow) => string | undefined;
}

export type ReportValue = string | number | bigint | boolean | null;
/** In the order of the report's columns. */
export type ReportRow = readonly ReportValue[];

/** Where a chunk has a column of the report. */
interface ChunkColumn {
  position: number;
  /** DuckDB's, e.g. `BIGINT`. */
  type: string;
}

/** Rows of a statement over what is published, and the same as chunks where DuckDB brings them. */
export type PublishedStream = SqlStream & Partial<DuckDbStream>;

/** A report's rows as DuckDB holds them: for formats that take whole columns, where one by one would be slow. */
export interface ReportChunks {
  /** One per column of the report, in its order. */
  columns: readonly ChunkColumn[];
  /** All of a chunk's columns. */
  given: DuckDbStream["columns"];
  chunks: DuckDbStream["chunks"];
}

/** Local dates, both inclusive, `YYYY-MM-DD`. */
export interface Period {
  from: string;
  to: string;
}

/** What a report's period is compared with. */
export interface Comparison {
  /** What was asked for, whose other days the data does not cover whole, or their counterparts. */
  asked: Period;
  other: Period;
  /** Whether any of their days can be. */
  isPossible: boolean;
  /** The answer, in a sentence. */
  said: string;
}

/** A report's rows, and what its heading says. */
export interface Report {
  /** Absent of a query. */
  name?: ReportName;
  title: string;
  /** Absent where a report has none. */
  period?: Period;
  /** Absent where none was asked for. */
  comparison?: Comparison;
  /** Absent where a report has no period, or its data has no known end. */
  dataDays?: DataDays;
  /** For people, e.g. `zone 12, 14`. */
  filters: readonly string[];
  /** The oldest, over the sources, of the newest complete request: `YYYY-MM-DDTHH:MM:SSZ`; `null` when unknown. */
  dataAsOf: string | null;
  /** Of what is published, e.g. `v000007`. */
  version: string;
  columns: readonly ReportColumn[];
  /** The column that rows are judged by, if one is. */
  ratio?: string;
  /** Whether somebody chose the order of the columns; else they may be shown in another. @default false */
  isOrdered?: boolean;
  /** Whether its order was asked for: pages keep it. @default false */
  isSorted?: boolean;
  /** Can be read once. */
  rows: AsyncIterable<ReportRow>;
  /** The same rows, where they come from DuckDB as they are. Either these or `rows` can be read. */
  chunks?: ReportChunks;
  /** What whoever asked should know, e.g. that a filter named an unknown zone. */
  notes: readonly string[];
  /** What its page says beside the rows; a query has none. To be asked for once rows are read. */
  describe?(): Promise<ReportPage>;
}
