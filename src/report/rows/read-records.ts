import { chooseRows } from "../catalog/report-entry.ts";
import { listMeasures, listShownColumns, pickColumns, toRecord } from "../columns/list-columns.ts";
import { buildStatement } from "../options/build-statement.ts";
import type { ReportOptions } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, ReportValue } from "../result-types.ts";

/** Returns the rows of a report that is a single statement, without notes, for sentences, charts and the overview. */
export async function readRecords(
  mart: PublishedMart,
  options: ReportOptions,
  period: Period,
): Promise<Record<string, ReportValue>[]> {
  const rows = chooseRows(options.entry, options.by);
  const columns = listShownColumns(rows, options);
  const statement = buildStatement(rows, { ...options, period, measures: listMeasures(rows, columns) });
  const found: Record<string, ReportValue>[] = [];
  for await (const row of pickColumns(await mart.stream(...statement), columns).rows)
    found.push(toRecord(columns, row));
  return found;
}
