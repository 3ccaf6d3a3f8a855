import type { SqlColumn } from "../../engines/engine.ts";
import { type ColumnDefinition, joinDefinition, type Unit } from "../../mart/column-definition.ts";
import { checkOwnSelect, explainOwnError } from "../../mart/own/own-select.ts";
import { queryColumnType, queryDecimal } from "../columns/query-columns.ts";
import { pickColumns } from "../columns/report-columns.ts";
import { findColumnDefinition } from "../figures.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import { requireWord } from "../options/report-option-error.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { describeFilters } from "../options/report-statement.ts";
import { sortedRows } from "../published/known-rows.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { ColumnType, Report, ReportColumn } from "../report.ts";
import { isOfPeriod, type OwnReport, ownRelations } from "./own-report.ts";
import { type OwnStatement, ownStatement } from "./own-statement.ts";

/**
 * Runs a report from a user's file over the published tables.
 * @throws {VenueError} `OWN_FILE` with line and column, also while rows are read
 */
export async function buildOwnReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const { own } = options;
  if (own === undefined) throw new Error("an own report without its file");
  if (own.problem) throw own.problem;
  const { period, dataAsOf, dataDays } = await getReportedDays(mart, options, now);
  const filters = await describeFilters(mart, options);
  const statement = ownStatement(own, { ...options, period });
  const { sql, parameters, lead, names } = statement;
  await checkOwnSelect(own, mart.parse, [...mart.tables, ...ownRelations], names);
  const explain = (error: unknown): never => {
    throw explainOwnError(own, error, lead);
  };
  const isOrdered = options.sort !== undefined || options.search !== undefined;
  const columnNames = isOrdered ? await listColumns(mart, own, statement) : [];
  const ordered = sortedRows(mart, orderOf(options, columnNames));
  const stream = await ordered.stream(sql, parameters).catch((error) => {
    throw explainOwnError(own, error, lead + (isOrdered ? 1 : 0));
  });
  const columns = stream.columns.map((column) => ownColumn(own, column));
  const { rows, chunks } = pickColumns(stream, columns);
  return {
    title: own.title,
    ...(isOfPeriod(own) && { period, ...(dataDays && { dataDays }) }),
    dataAsOf,
    filters,
    version: mart.version,
    columns,
    rows: explained(rows, explain),
    ...(chunks && { chunks: { ...chunks, chunks: explained(chunks.chunks, explain) } }),
    notes: [],
  };
}

/** Returns the names of the statement's columns, which sort and search its rows. */
async function listColumns(
  mart: PublishedMart,
  own: OwnReport,
  { sql, parameters, lead }: OwnStatement,
): Promise<string[]> {
  const select = `select * from (\n${sql}\n) as own limit 0`;
  const { columns, rows } = await mart.stream(select, parameters).catch((error) => {
    throw explainOwnError(own, error, lead + 1);
  });
  for await (const _row of rows);
  return columns.map(({ name }) => name);
}

function orderOf({ sort, search }: ReportOptions, columns: readonly string[]) {
  return {
    sort: sort && { ...sort, column: requireWord("--sort", sort.column, columns), others: columns },
    search: search === undefined ? undefined : { text: search, columns },
  };
}

/** Takes label, unit and meaning from the file's header, else from our columns of this name. */
function ownColumn(own: OwnReport, { name, type: sqlType }: SqlColumn): ReportColumn {
  const type = queryColumnType(name, sqlType);
  const definition = own.columns.find((column) => column.name === name) ?? findColumnDefinition(name);
  const column = { name, type, ...queryDecimal(sqlType) };
  if (definition === undefined) return column;
  const isUsable = isUnitOf(definition.unit, type);
  return {
    ...column,
    ...(isUsable && {
      unit: definition.unit,
      ...(definition.unit === "share" && { type: "share" as const }),
    }),
    ...(definition.unit === "sentences" && { wraps: true }),
    figure: figureOf(definition),
  };
}

function figureOf(definition: ColumnDefinition): NonNullable<ReportColumn["figure"]> {
  return { name: definition.name, label: definition.label, definition: joinDefinition(definition) };
}

const unitsOfText: readonly Unit[] = ["text", "sentences"];
const unitsOfType: Partial<Record<ColumnType, readonly Unit[]>> = {
  text: unitsOfText,
  date: ["date"],
  instant: ["instant"],
  local_time: ["local time"],
  boolean: ["yes or no"],
};

/** A column may have the name of ours and another type. */
function isUnitOf(unit: Unit, type: ColumnType): boolean {
  const units = unitsOfType[type];
  return units?.includes(unit) ?? !Object.values(unitsOfType).some((others) => others?.includes(unit));
}

async function* explained<Item>(
  items: AsyncIterable<Item>,
  explain: (error: unknown) => never,
): AsyncIterableIterator<Item> {
  try {
    yield* items;
  } catch (error) {
    explain(error);
  }
}
