import type { Link } from "../address/address.ts";
import type { catalog } from "../catalog/catalog.ts";
import type { ReportRows } from "../catalog/report-entry.ts";
import type { EqualNames } from "../findings/names.ts";
import type { ReportOptions, ReportRequest } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, Report, ReportValue } from "../result-types.ts";
import type { DataDays } from "../text/spans.ts";

export type Row = Readonly<Record<string, ReportValue>>;
/** Changed options; `report` replaces the page's report. */
export interface Changes extends Partial<Omit<ReportOptions, "format" | "report" | "entry">> {
  report?: keyof typeof catalog;
}

export interface PageSources {
  mart: PublishedMart;
  options: ReportOptions;
  period: Period;
  /** Compared dates; absent without a comparison. */
  comparedWith: Period | undefined;
  /** Extent of the data; `undefined` if unknown. */
  dataDays: DataDays | undefined;
  dataAsOf: Report["dataAsOf"];
  now: Date;
  names: EqualNames;
  /** The options as requested, before names were resolved. */
  request: ReportRequest;
  /** Returns `undefined` on a stand-alone page. */
  link: Link;
  /**
   * Runs a select over the rows that `read` would return, which may be millions. Columns have the names of the report's
   * SQL; instants are plain UTC timestamps.
   * @param rows of the catalog. @default the report's
   */
  aggregate(
    selectFrom: (rows: string) => string,
    changes?: Changes,
    rows?: ReportRows,
    period?: Period,
  ): Promise<Row[]>;
  /** Computes aggregates over all rows. They are SQL over a row `r`, keyed by name. */
  sum(aggregates: Readonly<Record<string, string>>, changes?: Changes): Promise<Row>;
  /** Returns rows of the report with some options changed, so that charts and tables agree. */
  read(changes: Changes, period?: Period): Promise<Row[]>;
}
