import { recordOf } from "../columns/record-of.ts";
import type { AskedReport } from "../options/report-options.ts";
import type { Report, ReportColumn, ReportRow } from "../report.ts";
import type { Link } from "./address.ts";
import { leadOfName } from "./lead-of-row.ts";

/** Where the names in a report's rows lead: to what is behind them. */
export function nameLinks(
  { columns, period, comparison }: Pick<Report, "columns" | "period" | "comparison">,
  options: AskedReport,
  link: Link,
): (column: ReportColumn, row: ReportRow) => string | undefined {
  // The very days: those that are left out here would move those just before.
  const shown = { ...options, compare: comparison?.isPossible ? comparison.other : undefined };
  return (column, row) => {
    const lead = leadOfName(column, recordOf(columns, row), shown, period);
    return lead && link(lead);
  };
}
