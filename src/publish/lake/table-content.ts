import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { escapeGlob, sqlName, sqlText } from "../../engines/sql-text.ts";
import {
  dataFile,
  type LakeColumn,
  readColumn,
  readType,
  tableByMonth,
  toLakeColumns,
} from "../../lake/layout.ts";
import { computeFirstId, isOwnId, type LakeDay } from "../../lake/machine.ts";

/** A file that a machine should have in the lake. */
export interface WantedFile {
  table: string;
  columns: readonly LakeColumn[];
  /** Path relative to the lake. It identifies the content, so an existing file is not written again. */
  path: string;
  /** `YYYY-MM` */
  month?: string;
  /** Selects the file's rows, with columns in the types that models use. */
  select: string;
}

export interface TableContent {
  columns: LakeColumn[];
  files: WantedFile[];
  days?: LakeDay[];
}

/** Computes the fingerprint of a table in `core`, reading all of it once. */
export async function findContent(warehouse: DuckDb, table: string, machine: string): Promise<TableContent> {
  const columns = toLakeColumns(table, await warehouse.describe(`select * from core.${table}`));
  const select = selectOwn(table, columns, machine);
  if (table !== tableByMonth) {
    const version = await findVersion(warehouse, table, columns, select);
    return { columns, files: [{ table, columns, path: dataFile({ table, machine, version }), select }] };
  }
  const days = await listDays(warehouse, columns, select);
  const months = [...new Set(days.map(({ date }) => parseMonth(date)))].sort();
  const files = months.map((month) => {
    const version = computeVersion(
      columns,
      days.filter(({ date }) => parseMonth(date) === month),
    );
    const path = dataFile({ table, machine, month, version });
    return { table, columns, path, month, select: selectMonth(select, month) };
  });
  return { columns, files, days };
}

/** Returns the row count of an existing file; `undefined` if its content does not match its path. */
export async function findRows(
  warehouse: DuckDb,
  file: string,
  { table, columns, path }: WantedFile,
): Promise<number | undefined> {
  const list = columns.map((column) => `${readColumn(column)} as ${sqlName(column.name)}`).join(", ");
  const source = `read_parquet(${sqlText(escapeGlob(file))}, hive_partitioning = false)`;
  try {
    const version = await findVersion(warehouse, table, columns, `select ${list} from ${source}`);
    if (basename(dirname(path)) !== version) return undefined;
    const { rows } = await warehouse.get<{ rows: number }>(`select count(*) as rows from ${source}`);
    return rows;
  } catch {
    // The file cannot be read, or has other columns.
    return undefined;
  }
}

/** Selects a table, with ids assigned by the machine converted to ids of the lake. */
function selectOwn(table: string, columns: readonly LakeColumn[], machine: string): string {
  const list = columns.map((column) => {
    const name = sqlName(column.name);
    const value = isOwnId(column.name) ? `${name} + ${computeFirstId(machine)}` : name;
    return `cast(${value} as ${readType(column)}) as ${name}`;
  });
  return `select ${list.join(", ")} from core.${table}`;
}

function selectMonth(select: string, month: string): string {
  return `${select} where date >= date '${month}-01' and date < date '${month}-01' + interval 1 month`;
}

async function findVersion(
  database: DuckDb,
  table: string,
  columns: readonly LakeColumn[],
  select: string,
): Promise<string> {
  if (table === tableByMonth) return computeVersion(columns, await listDays(database, columns, select));
  return computeVersion(
    columns,
    await database.get(`select ${computeFingerprint(columns)} from (${select})`),
  );
}

async function listDays(
  database: DuckDb,
  columns: readonly LakeColumn[],
  select: string,
): Promise<LakeDay[]> {
  return await database.all<LakeDay>(
    `select kind, date, count(*) as plays, ${computeFingerprint(columns)} from (${select})
    group by kind, date order by kind, date`,
  );
}

/**
 * Computes a fingerprint that does not depend on row order. Hashes each row twice, because a single row hash
 * keeps bits of the last column unchanged, so that sums would miss some swaps. If another version of DuckDB
 * hashes differently, everything is written again.
 */
function computeFingerprint(columns: readonly LakeColumn[]): string {
  const list = columns.map(({ name }) => sqlName(name)).join(", ");
  return `coalesce(cast(sum(hash(hash(${list}))) as varchar), '') as fingerprint`;
}

/** Returns a version of 16 hexadecimal digits. */
function computeVersion(columns: readonly LakeColumn[], content: object): string {
  return createHash("sha256")
    .update(JSON.stringify([columns, content]))
    .digest("hex")
    .slice(0, 16);
}

function parseMonth(date: string): string {
  return date.slice(0, "YYYY-MM".length);
}
