import type { Link } from "../address/address.ts";
import type { EqualNames } from "../findings/names.ts";
import type { AskedReport, ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, Report, ReportValue } from "../report.ts";
import type { DataDays } from "../text/spans.ts";

/** What a page's description is made from. */
export interface PageSources {
  mart: PublishedMart;
  /** What was asked for. */
  options: ReportOptions;
  /** The dates that are reported. */
  period: Period;
  /** Those that they are compared with; absent where none were asked for. */
  comparedWith: Period | undefined;
  /** How far the data goes; `undefined` when unknown. */
  dataDays: DataDays | undefined;
  dataAsOf: Report["dataAsOf"];
  now: Date;
  /** What tells zones and campaigns apart that are called alike. */
  names: EqualNames;
  /** The same in the words in which it was asked for. */
  asked: AskedReport;
  /** Where an address lies; of a page that stands alone, nowhere. */
  link: Link;
  /**
   * Returns the result of a select over the rows that `read` would return, for reports of up to millions of rows. Columns
   * have the names of the report's SQL; instants are plain UTC timestamps.
   */
  aggregate(
    selectFrom: (rows: string) => string,
    changes?: Partial<Omit<ReportOptions, "format">>,
  ): Promise<Record<string, ReportValue>[]>;
  /**
   * Rows of the same report over the same zones and kinds, by column name, with something else changed. Charts and
   * table so show the same figures.
   */
  read(changes: Partial<Omit<ReportOptions, "format">>): Promise<Record<string, ReportValue>[]>;
}
