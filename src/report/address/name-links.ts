import { toRecord } from "../columns/list-columns.ts";
import type { ReportRequest } from "../options/request-options.ts";
import type { Report, ReportColumn, ReportRow } from "../result-types.ts";
import type { Link } from "./address.ts";
import { findNameDrillDown } from "./drill-down.ts";

/** Returns a function that links names in a report's rows to their drill-downs. */
export function createNameLinks(
  { columns, period, comparison }: Pick<Report, "columns" | "period" | "comparison">,
  options: ReportRequest,
  link: Link,
): (column: ReportColumn, row: ReportRow) => string | undefined {
  // Uses fixed dates, because a relative comparison would select other days if some days were excluded.
  const shown = { ...options, compare: comparison?.isPossible ? comparison.other : undefined };
  return (column, row) => {
    const target = findNameDrillDown(column, toRecord(columns, row), shown, period);
    return target && link(target);
  };
}
