import type { DuckDb } from "../../../engines/duckdb/duckdb.ts";
import { columnBytes } from "../../../engines/duckdb/duckdb-values.ts";
import { toFile } from "../../../engines/duckdb/file-types.ts";
import { sqlName } from "../../../engines/sql-text.ts";
import type { ColumnType, Report, ReportChunks, ReportColumn } from "../../report.ts";
import { parquetType } from "./parquet-type.ts";
import { ValueRefusedError } from "./value-refused-error.ts";

/** A report whose chunks DuckDB can cast: those of lists and the like it would write otherwise than we do. */
type ChunkedReport = Report & { chunks: ReportChunks };
export function canStoreChunks(report: Report): report is ChunkedReport {
  return (
    report.chunks?.columns.every(
      ({ position, type }, index) =>
        position >= 0 && (type === "VARCHAR" || report.columns[index]?.type !== "text"),
    ) ?? false
  );
}

/** Keeps the chunks as they come, and answers the select that makes the report's columns of them. */
export async function storeChunks(
  database: DuckDb,
  { columns, chunks: { columns: places, given, chunks } }: ChunkedReport,
): Promise<string> {
  const list = given.map(({ type }, position) => `${givenName(position)} ${type}`);
  await database.run(`create table report (${list.join(", ")})`);
  const appender = await database.connection.createAppender("report");
  for await (const chunk of chunks) {
    appender.appendDataChunk(chunk);
    // What a chunk holds is freed when JavaScript's collector comes by; that it is worth coming by, it learns from this.
    for (let column = 0; column < given.length; column += 1) columnBytes(chunk, column, 1);
  }
  appender.closeSync();
  const casts: string[] = [];
  for (const [index, column] of columns.entries()) {
    const name = givenName(places[index]?.position ?? 0);
    await refuseUnfit(database, column, name);
    const type = parquetType(column);
    casts.push(`cast(${toFile(name, type)} as ${type}) as ${sqlName(column.name)}`);
  }
  return `select ${casts.join(", ")} from report`;
}

/** DuckDB keeps the least and the greatest of each piece of a column: where nothing is unfit, nothing is read. */
async function refuseUnfit(database: DuckDb, column: ReportColumn, name: string): Promise<void> {
  const unfit = unfitTests[column.type]?.(name);
  if (unfit === undefined) return;
  const found = await database.find<{ value: string }>(
    `select cast(${name} as varchar) as value from report where ${unfit} limit 1`,
  );
  if (found) throw new ValueRefusedError(column, found.value);
}

const unfitTests: Readonly<Partial<Record<ColumnType, (name: string) => string>>> = {
  integer: (name) => `${name} not between -9223372036854775808 and 9223372036854775807`,
  date: (name) => `${name} in (date 'infinity', date '-infinity')`,
  instant: (name) => `${name} in (timestamp 'infinity', timestamp '-infinity')`,
  local_time: (name) => `${name} in (timestamp 'infinity', timestamp '-infinity')`,
};

function givenName(position: number): string {
  return `column_${position}`;
}
