import { pickColumns } from "../columns/list-columns.ts";
import { arrangeRows } from "../compile/arrange.ts";
import { type Sql, toStatement } from "../compile/sql.ts";
import type { RequestContext } from "../request-context.ts";
import type { Report, ReportColumn } from "../result-types.ts";

/** Streams the rows of a report that contain the searched text, in the requested order. */
export async function streamRows(
  { mart, order }: Pick<RequestContext, "mart" | "order">,
  rows: Sql,
  columns: readonly ReportColumn[],
): Promise<Pick<Report, "rows">> {
  const { sort, search, limit } = order;
  const names = columns.map(({ name }) => name);
  // A column with the same value in all rows is hidden and cannot sort them.
  const isShown = sort !== undefined && names.includes(sort.column);
  const arranged = arrangeRows(rows, { columns: names, ...(isShown && { sort }), search, limit });
  return pickColumns(await mart.stream(...toStatement(arranged)), columns);
}
