import { checkOwnSelect, explainOwnError } from "../../mart/own/own-select.ts";
import { pickColumns } from "../columns/report-columns.ts";
import { arrangeRows } from "../compile/arrange.ts";
import { toStatement } from "../compile/sql.ts";
import { describeFilters } from "../options/report-statement.ts";
import type { Report } from "../report.ts";
import type { RequestContext } from "../request-context.ts";
import { compareOwn } from "./compare-own.ts";
import { assertNamed, chooseOrder, explained, listOwnColumns, ownColumn } from "./own-columns.ts";
import { isOfPeriod, ownRelations } from "./own-report.ts";
import { ownStatement } from "./own-statement.ts";

/**
 * Runs a report from a user's file over the published tables.
 * @throws {VenueError} `OWN_FILE` with line and column, also while rows are read
 */
export async function buildOwnReport({ mart, options, days }: RequestContext): Promise<Report> {
  const { own, compare } = options;
  if (own === undefined) throw new Error("an own report without its file");
  if (own.problem) throw own.problem;
  const { period, dataAsOf, dataDays } = days;
  const filters = await describeFilters(mart, options);
  const statement = ownStatement(own, { ...options, period });
  await checkOwnSelect(own, mart.parse, [...mart.tables, ...ownRelations], own.reads);
  const compared = compare && (await compareOwn(mart, options, { own, compare, days }));
  const isArranged = options.sort !== undefined || options.search !== undefined;
  const known = compared?.columns ?? (isArranged ? await listOwnColumns(mart, own, statement) : []);
  const names = known.map(({ name }) => name);
  const arranged = arrangeRows(compared?.select ?? statement.select, chooseOrder(options, names));
  const lead = compared ? Number.POSITIVE_INFINITY : statement.lead + (isArranged ? 1 : 0);
  const explain = (error: unknown): never => {
    throw explainOwnError(own, error, lead);
  };
  const stream = await mart.stream(...toStatement(arranged)).catch(explain);
  if (!compared) assertNamed(own, stream.columns);
  const columns = compared?.columns ?? stream.columns.map((column) => ownColumn(own, column));
  const { rows } = pickColumns(stream, columns);
  return {
    title: own.title,
    ...(isOfPeriod(own) && { period, ...(dataDays && { dataDays }) }),
    ...compared,
    ...{ dataAsOf, filters, columns, version: mart.version },
    rows: explained(rows, explain),
    notes: compared?.notes ?? [],
  };
}
