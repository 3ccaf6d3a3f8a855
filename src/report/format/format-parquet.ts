import { createReadStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
} from "@duckdb/node-api";
import { DuckDb } from "../../engines/duckdb.ts";
import { sqlText } from "../../engines/sql-text.ts";
import type { ColumnType, Report, ReportColumn, ReportValue } from "../report.ts";
import { epochDays, epochMicros } from "./epoch.ts";
import type { FormatOptions } from "./formatter.ts";
import { ValueRefusedError } from "./value-refused-error.ts";

/** Rows that are handed to DuckDB at a time: as many as it takes. */
const chunkRows = 2_048;
const prefix = "venue-parquet-";
const memoryLimit = "128MB";

const sqlTypes: Readonly<Record<ColumnType, string>> = {
  text: "varchar",
  integer: "bigint",
  number: "double",
  share: "double",
  date: "date",
  instant: "timestamptz",
  local_time: "timestamp",
  boolean: "boolean",
};

/**
 * A Parquet file: zstd, row groups of 122,880, instants in UTC, types as `published/` has them. Its end says where
 * everything lies, so it is written to a temporary folder first, in constant memory.
 * @throws {ValueRefusedError} for an integer beyond 64 bits, or a time such as `infinity`
 */
export async function* formatParquet(
  { columns, rows }: Report,
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
      await fill(database, columns, rows);
      await database.run(
        `copy report to ${sqlText(file)} (format parquet, compression zstd, row_group_size 122880)`,
      );
    } finally {
      database.close();
    }
    yield* createReadStream(file, { highWaterMark: 1 << 20 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where the wanted folder can't be written (reports may be read by others), the system's serves. */
function createFolder(wanted: string | undefined): string {
  if (wanted !== undefined) {
    try {
      mkdirSync(wanted, { recursive: true });
      return mkdtempSync(join(wanted, prefix));
    } catch {}
  }
  return mkdtempSync(join(tmpdir(), prefix));
}

async function fill(database: DuckDb, columns: readonly ReportColumn[], rows: Report["rows"]): Promise<void> {
  const list = columns.map(({ name, type }) => `"${name.replaceAll('"', '""')}" ${sqlTypes[type]}`);
  await database.run(`create table report (${list.join(", ")})`);
  const { connection } = database;
  const appender = await connection.createAppender("report");
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
      return Number(value);
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

function storedInteger(value: bigint, column: ReportColumn): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new ValueRefusedError(column, value);
  return value;
}

function known(time: number | undefined, value: ReportValue, column: ReportColumn): number {
  if (time === undefined) throw new ValueRefusedError(column, value);
  return time;
}
