import { checkCustomSelect, explainCustomError } from "../../mart/custom/custom-select.ts";
import { pickColumns } from "../columns/list-columns.ts";
import { arrangeRows } from "../compile/arrange.ts";
import { toStatement } from "../compile/sql.ts";
import { describeFilters } from "../options/build-statement.ts";
import type { RequestContext } from "../request-context.ts";
import type { Report } from "../result-types.ts";
import { compareCustom } from "./compare-custom.ts";
import { assertNamed, chooseOrder, customColumn, explained, listCustomColumns } from "./custom-columns.ts";
import { customRelations, isOfPeriod } from "./custom-report.ts";
import { customStatement } from "./custom-statement.ts";

/**
 * Runs a custom report over the published tables.
 * @throws {VenueError} `OWN_FILE` with line and column, also while rows are read
 */
export async function buildCustomReport({ mart, options, days }: RequestContext): Promise<Report> {
  const { custom, compare } = options;
  if (custom === undefined) throw new Error("a custom report without its file");
  if (custom.problem) throw custom.problem;
  const { period, dataAsOf, dataDays } = days;
  const filters = await describeFilters(mart, options);
  const statement = customStatement(custom, { ...options, period });
  await checkCustomSelect(custom, mart.parse, [...mart.tables, ...customRelations], custom.reads);
  const compared = compare && (await compareCustom(mart, options, { custom, compare, days }));
  const isArranged = options.sort !== undefined || options.search !== undefined;
  const known = compared?.columns ?? (isArranged ? await listCustomColumns(mart, custom, statement) : []);
  const names = known.map(({ name }) => name);
  const arranged = arrangeRows(compared?.select ?? statement.select, chooseOrder(options, names));
  const lead = compared ? Number.POSITIVE_INFINITY : statement.lead + (isArranged ? 1 : 0);
  const explain = (error: unknown): never => {
    throw explainCustomError(custom, error, lead);
  };
  const stream = await mart.stream(...toStatement(arranged)).catch(explain);
  if (!compared) assertNamed(custom, stream.columns);
  const columns = compared?.columns ?? stream.columns.map((column) => customColumn(custom, column));
  const { rows } = pickColumns(stream, columns);
  return {
    title: custom.title,
    ...(isOfPeriod(custom) && { period, ...(dataDays && { dataDays }) }),
    ...compared,
    ...{ dataAsOf, filters, columns, version: mart.version },
    rows: explained(rows, explain),
    notes: compared?.notes ?? [],
  };
}
