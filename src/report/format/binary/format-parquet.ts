import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDb } from "../../../engines/duckdb/duckdb.ts";
import { instantType, toFile } from "../../../engines/duckdb/file-types.ts";
import { sqlName, sqlText } from "../../../engines/sql-text.ts";
import { makeFolder } from "../../../util/files/folders.ts";
import type { ColumnType, Report, ReportColumn } from "../../result-types.ts";
import type { FormatOptions } from "../formatter.ts";
import { valueRefusedError } from "./binary-values.ts";

/**
 * Writes a Parquet file with zstd compression, row groups of 122,880 rows, instants in UTC and the types of
 * `published/`. The footer contains the offsets, so the file is first written to a temporary folder, in constant
 * memory.
 * @throws {VenueError} `VALUE_REFUSED` for an integer beyond 64 bits, or a time like `infinity`
 */
export async function* formatParquet(
  report: Report,
  { tempDir }: FormatOptions = {},
): AsyncIterable<Uint8Array> {
  const folder = createFolder(tempDir);
  try {
    const file = join(folder, "report.parquet");
    const database = await DuckDb.open({ memoryLimit: "128MB", threads: 1, tempDir: folder });
    try {
      await writeFile(database, report, file);
    } finally {
      database.close();
    }
    yield* createReadStream(file, { highWaterMark: 1 << 20 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Falls back to the system's temporary folder, because users who read reports may lack write access to the preferred
 * one.
 */
function createFolder(wanted = tmpdir()): string {
  try {
    makeFolder(wanted);
    return mkdtempSync(join(wanted, "venue-parquet-"));
  } catch {
    return mkdtempSync(join(tmpdir(), "venue-parquet-"));
  }
}

/** Stores the rows as text, which DuckDB then casts to the types of the columns. */
async function writeFile(database: DuckDb, { columns, rows }: Report, file: string): Promise<void> {
  const stored = columns.map((column, index) => ({ column, text: `column_${index}`, type: getType(column) }));
  await database.run(`create table report (${stored.map(({ text }) => `${text} varchar`).join(", ")})`);
  const appender = await database.connection.createAppender("report");
  for await (const row of rows) {
    for (const value of columns.map((_column, index) => row[index])) {
      if (value == null) appender.appendNull();
      else appender.appendVarchar(String(value));
    }
    appender.endRow();
  }
  appender.closeSync();
  for (const { column, text, type } of stored) {
    const cast = `try_cast(${text} as ${type})`;
    const isValid = /^(date|timestamp)/.test(type) ? `isfinite(${cast})` : `${cast} is not null`;
    const invalid = `from report where ${text} is not null and ${isValid} is not true`;
    const found = await database.find<{ value: string }>(`select ${text} as value ${invalid} limit 1`);
    if (found) throw valueRefusedError(column, found.value);
  }
  const selected = stored.map(({ column, text, type }) => {
    const value = `cast(${text} as ${type})`;
    return `${column.type === "instant" ? toFile(value, instantType) : value} as ${sqlName(column.name)}`;
  });
  const options = "format parquet, compression zstd, row_group_size 122880";
  await database.run(`copy (select ${selected.join(", ")} from report) to ${sqlText(file)} (${options})`);
}

function getType({ type, decimal }: ReportColumn): string {
  return decimal ? `decimal(${decimal.width}, ${decimal.scale})` : parquetTypes[type];
}

const parquetTypes: Readonly<Record<ColumnType, string>> = {
  text: "varchar",
  integer: "bigint",
  number: "double",
  share: "double",
  date: "date",
  instant: "timestamp",
  local_time: "timestamp",
  boolean: "boolean",
};
