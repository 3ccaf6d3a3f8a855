import {
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
} from "@duckdb/node-api";
import type { DuckDb } from "../../../engines/duckdb/duckdb.ts";
import { sqlName } from "../../../engines/sql-text.ts";
import type { Report, ReportColumn, ReportValue } from "../../report.ts";
import { epochDays, epochMicros } from "./epoch.ts";
import { parquetType } from "./parquet-type.ts";
import { unscaled } from "./unscaled.ts";
import { ValueRefusedError } from "./value-refused-error.ts";

/** Rows that are handed to DuckDB at a time: as many as it takes. */
const chunkRows = 2_048;

/** Keeps the rows as they come in a table, and answers the select that makes the report's columns of it. */
export async function storeRows(database: DuckDb, { columns, rows }: Report): Promise<string> {
  const list = columns.map((column) => `${sqlName(column.name)} ${parquetType(column)}`);
  await database.run(`create table report (${list.join(", ")})`);
  const appender = await database.connection.createAppender("report");
  const types = columns.map((_column, index) => appender.columnType(index));
  let held: DuckDBValue[][] = columns.map(() => []);
  for await (const row of rows) {
    for (const [index, column] of columns.entries())
      held[index]?.push(storedValue(row[index] ?? null, column));
    if (held[0]?.length !== chunkRows) continue;
    appender.appendDataChunk(chunkOf(types, held));
    held = columns.map(() => []);
  }
  if (held[0]?.length) appender.appendDataChunk(chunkOf(types, held));
  appender.closeSync();
  return "from report";
}

function chunkOf(types: readonly DuckDBType[], held: readonly DuckDBValue[][]): DuckDBDataChunk {
  const chunk = DuckDBDataChunk.create(types);
  chunk.setColumns(held);
  return chunk;
}

function storedValue(value: ReportValue, column: ReportColumn): DuckDBValue {
  if (value === null) return null;
  switch (column.type) {
    case "integer":
      return storedInteger(BigInt(value), column);
    case "number":
    case "share":
      return column.decimal ? storedDecimal(value, column.decimal) : Number(value);
    case "boolean":
      return value === true;
    case "date":
      return new DuckDBDateValue(known(epochDays(String(value)), value, column));
    case "instant":
      return new DuckDBTimestampTZValue(BigInt(known(epochMicros(String(value)), value, column)));
    case "local_time":
      return new DuckDBTimestampValue(BigInt(known(epochMicros(String(value)), value, column)));
    default:
      return String(value);
  }
}

function storedDecimal(value: ReportValue, { width, scale }: { width: number; scale: number }): DuckDBValue {
  return new DuckDBDecimalValue(unscaled(value, scale), width, scale);
}

function storedInteger(value: bigint, column: ReportColumn): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new ValueRefusedError(column, value);
  return value;
}

function known(time: number | undefined, value: ReportValue, column: ReportColumn): number {
  if (time === undefined) throw new ValueRefusedError(column, value);
  return time;
}
