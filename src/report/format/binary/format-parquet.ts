import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDb } from "../../../engines/duckdb/duckdb.ts";
import { duckDbLibrary } from "../../../engines/duckdb/duckdb-library.ts";
import { instantType, toFile } from "../../../engines/duckdb/file-types.ts";
import { sqlName, sqlText } from "../../../engines/sql-text.ts";
import { makeFolder } from "../../../util/files/folders.ts";
import type { ColumnType, Report, ReportColumn, ReportRow } from "../../report.ts";
import type { FormatOptions } from "../formatter.ts";
import { valueRefusedError } from "./binary-values.ts";

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
    const path = join(folder, "rows.duckdb");
    const database = await DuckDb.open({ path, memoryLimit, threads: 1, tempDir: folder });
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

/** Stores the rows as text, which DuckDB then casts to the types of the columns. */
async function writeFile(database: DuckDb, { columns, rows }: Report, file: string): Promise<void> {
  const stored = columns.map((column, index) => ({ column, text: `column_${index}`, type: getType(column) }));
  await database.run(`create table report (${stored.map(({ text }) => `${text} varchar`).join(", ")})`);
  await storeRows(database, columns.length, rows);
  for (const { column, text, type } of stored) {
    const unfit = isTime(column) ? `not isfinite(try_cast(${text} as ${type}))` : "false";
    const found = await database.find<{ value: string }>(
      `select ${text} as value from report
      where ${text} is not null and (try_cast(${text} as ${type}) is null or ${unfit}) limit 1`,
    );
    if (found) throw valueRefusedError(column, found.value);
  }
  const casts = stored.map(({ column, text, type }) => {
    const value = `cast(${text} as ${type})`;
    return `${column.type === "instant" ? toFile(value, instantType) : value} as ${sqlName(column.name)}`;
  });
  await database.run(
    `copy (select ${casts.join(", ")} from report) to ${sqlText(file)}
    (format parquet, compression zstd, row_group_size 122880)`,
  );
}

/** Rows per appended chunk: DuckDB's vector size. */
const chunkRows = 2_048;

async function storeRows(database: DuckDb, width: number, rows: AsyncIterable<ReportRow>): Promise<void> {
  const appender = await database.connection.createAppender("report");
  const types = Array.from({ length: width }, (_, index) => appender.columnType(index));
  let held: (string | null)[][] = types.map(() => []);
  const append = () => {
    const chunk = duckDbLibrary.DuckDBDataChunk.create(types);
    chunk.setColumns(held);
    appender.appendDataChunk(chunk);
    held = types.map(() => []);
  };
  for await (const row of rows) {
    for (const [index, texts] of held.entries()) {
      const value = row[index] ?? null;
      texts.push(value === null ? null : String(value));
    }
    if (held[0]?.length === chunkRows) append();
  }
  if (held[0]?.length) append();
  appender.closeSync();
}

function isTime({ type }: ReportColumn): boolean {
  return type === "date" || type === "instant" || type === "local_time";
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
