import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
} from "@duckdb/node-api";
import { DuckDb } from "../../../engines/duckdb/duckdb.ts";
import { columnBytes } from "../../../engines/duckdb/duckdb-values.ts";
import { instantType, toFile } from "../../../engines/duckdb/file-types.ts";
import { sqlName, sqlText } from "../../../engines/sql-text.ts";
import { makeFolder } from "../../../util/files/folders.ts";
import type { ColumnType, Report, ReportChunks, ReportColumn, ReportValue } from "../../report.ts";
import type { FormatOptions } from "../formatter.ts";
import { toEpochDays, toEpochMicros, toUnscaled, valueRefusedError } from "./binary-values.ts";

const prefix = "venue-parquet-";
const memoryLimit = "128MB";

/**
 * Writes a Parquet file: zstd, row groups of 122,880 rows, instants in UTC, types as in `published/`. The
 * footer holds the offsets, so the file is first written to a temporary folder, in constant memory.
 * @throws {VenueError} `VALUE_REFUSED` for an integer beyond 64 bits, or a time like `infinity`
 */
export async function* formatParquet(
  report: Report,
  { tempDir }: FormatOptions = {},
): AsyncIterable<Uint8Array> {
  const folder = createFolder(tempDir);
  try {
    const file = join(folder, "report.parquet");
    const database = await DuckDb.open({
      path: join(folder, "rows.duckdb"),
      memoryLimit,
      threads: 1,
      tempDir: folder,
    });
    try {
      const select = await (canStoreChunks(report)
        ? storeChunks(database, report)
        : storeRows(database, report));
      await database.run(
        `copy (${select}) to ${sqlText(file)} (format parquet, compression zstd, row_group_size 122880)`,
      );
    } finally {
      database.close();
    }
    yield* createReadStream(file, { highWaterMark: 1 << 20 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Falls back to the system's temporary folder, because users who read reports may not be able to write to the
 * wanted one.
 */
function createFolder(wanted: string | undefined): string {
  if (wanted !== undefined) {
    try {
      makeFolder(wanted);
      return mkdtempSync(join(wanted, prefix));
    } catch {}
  }
  return mkdtempSync(join(tmpdir(), prefix));
}

/**
 * A report whose chunks DuckDB can cast. Lists and structs are excluded, because DuckDB writes them
 * differently from our formats.
 */
type ChunkedReport = Report & { chunks: ReportChunks };
export function canStoreChunks(report: Report): report is ChunkedReport {
  return (
    report.chunks?.columns.every(
      ({ position, type }, index) =>
        position >= 0 && (type === "VARCHAR" || report.columns[index]?.type !== "text"),
    ) ?? false
  );
}

/** Stores the chunks unchanged and returns the select that casts them to the report's columns. */
export async function storeChunks(
  database: DuckDb,
  { columns, chunks: { columns: places, given, chunks } }: ChunkedReport,
): Promise<string> {
  const list = given.map(({ type }, position) => `${nameChunkColumn(position)} ${type}`);
  await database.run(`create table report (${list.join(", ")})`);
  const appender = await database.connection.createAppender("report");
  for await (const chunk of chunks) {
    appender.appendDataChunk(chunk);
    // Accessing a chunk's bytes reports its memory to JavaScript's garbage collector, which would otherwise
    // not run to free it.
    for (let column = 0; column < given.length; column += 1) columnBytes(chunk, column, 1);
  }
  appender.closeSync();
  const casts: string[] = [];
  for (const [index, column] of columns.entries()) {
    const name = nameChunkColumn(places[index]?.position ?? 0);
    await assertFits(database, column, name);
    const type = getParquetType(column);
    casts.push(`cast(${toFile(name, type)} as ${type}) as ${sqlName(column.name)}`);
  }
  return `select ${casts.join(", ")} from report`;
}

/**
 * Throws if a value does not fit the column's type. If all values fit, DuckDB reads only the minimum and
 * maximum that it keeps per column segment.
 */
async function assertFits(database: DuckDb, column: ReportColumn, name: string): Promise<void> {
  const unfit = unfitTests[column.type]?.(name);
  if (unfit === undefined) return;
  const found = await database.find<{ value: string }>(
    `select cast(${name} as varchar) as value from report where ${unfit} limit 1`,
  );
  if (found) throw valueRefusedError(column, found.value);
}

const unfitTests: Readonly<Partial<Record<ColumnType, (name: string) => string>>> = {
  integer: (name) => `${name} not between -9223372036854775808 and 9223372036854775807`,
  date: (name) => `${name} in (date 'infinity', date '-infinity')`,
  instant: (name) => `${name} in (timestamp 'infinity', timestamp '-infinity')`,
  local_time: (name) => `${name} in (timestamp 'infinity', timestamp '-infinity')`,
};

function nameChunkColumn(position: number): string {
  return `column_${position}`;
}

/** Rows per appended chunk: DuckDB's vector size. */
const chunkRows = 2_048;

export async function storeRows(database: DuckDb, { columns, rows }: Report): Promise<string> {
  const list = columns.map((column) => `${sqlName(column.name)} ${getParquetType(column)}`);
  await database.run(`create table report (${list.join(", ")})`);
  const appender = await database.connection.createAppender("report");
  const types = columns.map((_column, index) => appender.columnType(index));
  let held: DuckDBValue[][] = columns.map(() => []);
  for await (const row of rows) {
    for (const [index, column] of columns.entries())
      held[index]?.push(toStoredValue(row[index] ?? null, column));
    if (held[0]?.length !== chunkRows) continue;
    appender.appendDataChunk(createChunk(types, held));
    held = columns.map(() => []);
  }
  if (held[0]?.length) appender.appendDataChunk(createChunk(types, held));
  appender.closeSync();
  return "from report";
}

function createChunk(types: readonly DuckDBType[], held: readonly DuckDBValue[][]): DuckDBDataChunk {
  const chunk = DuckDBDataChunk.create(types);
  chunk.setColumns(held);
  return chunk;
}

function toStoredValue(value: ReportValue, column: ReportColumn): DuckDBValue {
  if (value === null) return null;
  switch (column.type) {
    case "integer":
      return toStoredInteger(BigInt(value), column);
    case "number":
    case "share":
      return column.decimal ? toStoredDecimal(value, column.decimal) : Number(value);
    case "boolean":
      return value === true;
    case "date":
      return new DuckDBDateValue(requireValid(toEpochDays(String(value)), value, column));
    case "instant":
      return new DuckDBTimestampTZValue(BigInt(requireValid(toEpochMicros(String(value)), value, column)));
    case "local_time":
      return new DuckDBTimestampValue(BigInt(requireValid(toEpochMicros(String(value)), value, column)));
    default:
      return String(value);
  }
}

function toStoredDecimal(
  value: ReportValue,
  { width, scale }: { width: number; scale: number },
): DuckDBValue {
  return new DuckDBDecimalValue(toUnscaled(value, scale), width, scale);
}

function toStoredInteger(value: bigint, column: ReportColumn): bigint {
  if (BigInt.asIntN(64, value) !== value) throw valueRefusedError(column, value);
  return value;
}

function requireValid(time: number | undefined, value: ReportValue, column: ReportColumn): number {
  if (time === undefined) throw valueRefusedError(column, value);
  return time;
}

export function getParquetType({ type, decimal }: ReportColumn): string {
  return decimal ? `decimal(${decimal.width}, ${decimal.scale})` : parquetTypes[type];
}

const parquetTypes: Readonly<Record<ColumnType, string>> = {
  text: "varchar",
  integer: "bigint",
  number: "double",
  share: "double",
  date: "date",
  instant: instantType,
  local_time: "timestamp",
  boolean: "boolean",
};
