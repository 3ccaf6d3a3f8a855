import type { SqlStream } from "../../engines/engine.ts";
import { isSqlError } from "../../engines/errors.ts";
import { findClosestWord } from "../../util/text/words.ts";
import { inferColumnType, parseDecimalType, toReportValue } from "../columns/query-columns.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportColumn, ReportRow } from "../result-types.ts";
import { checkQuery, queryError } from "./check-query.ts";

/**
 * Runs one select over the published tables and streams its rows in constant memory.
 * @throws {VenueError} `QUERY`, also while rows are read
 */
export async function runQuery(mart: PublishedMart, sql: string): Promise<Report> {
  await checkQuery(mart, sql);
  const { columns: given, rows } = await mart.stream(sql).catch((error: unknown) => {
    throw translateError(mart, error);
  });
  const columns = given.map(({ name, type }) => ({
    name,
    type: inferColumnType(name, type),
    ...parseDecimalType(type),
  }));
  return {
    title: "Query",
    filters: [],
    dataAsOf: mart.dataAsOf,
    version: mart.version,
    columns,
    rows: convertRows(columns, translateErrors(mart, rows)),
    notes: [],
  };
}

async function* convertRows(
  columns: readonly ReportColumn[],
  rows: SqlStream["rows"],
): AsyncIterableIterator<ReportRow> {
  const types = columns.map(({ type }) => type);
  for await (const row of rows) yield row.map((value, index) => toReportValue(value, types[index] ?? "text"));
}

async function* translateErrors<Item>(
  mart: PublishedMart,
  items: AsyncIterable<Item>,
): AsyncIterableIterator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw translateError(mart, error);
  }
}

/** Translates DuckDB's errors about a query; returns other errors unchanged. */
function translateError(mart: PublishedMart, error: unknown): unknown {
  if (!isSqlError(error)) return error;
  const message = (error.message.split(/\n\s*LINE \d+:/, 1)[0] ?? "").replace(/\s+/g, " ").trim();
  const table = /Table with name "?([^"]+?)"? does not exist/.exec(message)?.[1];
  if (table === undefined) return queryError(`The query failed: ${message.slice(0, 500)}`, { cause: error });
  const meant = findClosestWord(table, mart.tables);
  return queryError(
    `Table ${table} does not exist.${meant ? ` Did you mean ${meant}?` : ""} Tables: ${mart.tables.join(", ")}.`,
    { cause: error },
  );
}
