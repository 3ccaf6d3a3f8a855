import { pickColumns } from "../columns/pick-columns.ts";
import { reportColumns } from "../columns/report-columns.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import { describeFilters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";

interface List {
  /** Below `sql/reports/`, without its ending. */
  file: string;
  title: string;
  /** Whether it is of a period. */
  isOfPeriod: boolean;
}

/** What is kept, as it is: single plays, loads, rejected lines. */
export async function buildListReport(
  { file, title, isOfPeriod }: List,
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const { period, ...data } = await getReportedDays(mart, options, now);
  const filters = await describeFilters(mart, options);
  const stream = await mart.stream(...reportStatement(file, { ...options, period }));
  const columns = reportColumns(file);
  return {
    title,
    ...(isOfPeriod && { period }),
    ...data,
    filters,
    version: mart.version,
    columns,
    ...pickColumns(stream, columns),
    notes: [],
  };
}
