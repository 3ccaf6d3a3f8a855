import type { Unit } from "../mart/column-definition.ts";
import type { ReportName } from "./report-name.ts";
import type { DataDays } from "./text/spans.ts";

/**
 * Type of a column's values, which determines how they are written:
 *
 * - `integer`: `number`, or `bigint` beyond 2^53; `number`: also the text of a decimal of over 15 digits
 * - `share`: 0 to 1; `date`: `YYYY-MM-DD`
 * - `instant`: `YYYY-MM-DDTHH:MM:SSZ`; `local_time`: the same without Z, in the zone's local time
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

/** Label and meaning of a column or key number. */
export interface Figure {
  name: string;
  label: string;
  /** A few sentences; absent for an unknown name. */
  definition?: string;
  /** Absent for an unknown name. */
  unit?: Unit;
}

export interface ReportColumn {
  /** Unique within the report. */
  name: string;
  type: ColumnType;
  /** Absent for a query's column, whose unit is inferred from its name and type. */
  unit?: Unit;
  /** Label and meaning of a column that no table or report of the catalog defines. */
  figure?: Figure;
  /** For a decimal, not a double: total digits, and digits after the point. */
  decimal?: { width: number; scale: number };
  /** True for a last column of sentences, which a terminal wraps; other text is truncated. */
  wraps?: boolean;
  /** Set on the previous value and the change of a compared measure, with the measure's name. */
  compared?: { of: string; is: "then" | "change" };
  /** Returns a suffix that readers see in parentheses after the value; machine-readable formats omit it. */
  mark?: (row: ReportRow) => string | undefined;
}

export type ReportValue = string | number | bigint | boolean | null;
/** Values in column order. */
export type ReportRow = readonly ReportValue[];

/** Local dates, both inclusive, `YYYY-MM-DD`. */
export interface Period {
  from: string;
  to: string;
}

export interface Comparison {
  /** Requested period: some of its days, or their counterparts, may lack complete data. */
  requested: Period;
  other: Period;
  isPossible: boolean;
  /** The answer, in a sentence. */
  summary: string;
}

export interface Report {
  /** Absent for a query. */
  name?: ReportName;
  /** Set for a custom report. */
  customName?: string;
  title: string;
  period?: Period;
  comparison?: Comparison;
  /** Absent if the report has no period, or the end of its data is unknown. */
  dataDays?: DataDays;
  /** Filters for readers, e.g. `zone 12, 14`. */
  filters: readonly string[];
  /** Data as of, as `YYYY-MM-DDTHH:MM:SSZ`; `null` if unknown. */
  dataAsOf: string | null;
  /** Published version, e.g. `v000007`. */
  version: string;
  columns: readonly ReportColumn[];
  ratio?: string;
  /** Columns of the groups whose largest rows are shown, from `--per`. */
  per?: readonly string[];
  /** True if the user requested the column order; otherwise formats may change it. @default false */
  isOrdered?: boolean;
  /** True if the user requested the row order, which pages then keep. @default false */
  isSorted?: boolean;
  /** Can be read once. */
  rows: AsyncIterable<ReportRow>;
  /** Notes for the reader, e.g. that a filter named an unknown zone. */
  notes: readonly string[];
  /** Heading and answer of a page that shows only its rows. */
  answer?: { heading: string; headline: string };
}
