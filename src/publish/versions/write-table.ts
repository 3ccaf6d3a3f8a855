import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { toFile, typeInFiles } from "../../engines/duckdb/file-types.ts";
import { sqlName } from "../../engines/sql-text.ts";
import { describeColumns, joinDefinition } from "../../mart/column-definition.ts";
import type { ManifestColumn, ManifestFile } from "../../mart/manifest.ts";
import { getDateColumn, type Model, toRowDate } from "../../mart/model.ts";
import type { Topic } from "../../mart/topic.ts";
import { addDays } from "../../util/local-date.ts";
import {
  type DayRows,
  type MonthPart,
  splitMonth,
  type WrittenFile,
  writeParquetFile,
} from "../files/parquet-file.ts";
import type { PreviousVersion } from "./previous-version.ts";
import { ReusableFiles } from "./reusable-files.ts";

/** A table to write: a model of the mart, or a table of `core`. */
export interface PublishedTable extends Pick<Model, "table" | "name" | "built" | "published"> {
  /** Writes a table that is not by month as `TABLE/data.parquet`. @default `TABLE.parquet` */
  isFolder?: boolean;
}

export interface WriteTableOptions {
  versionFolder: string;
  /** If `undefined`, every month is written. */
  previous: PreviousVersion | undefined;
  /** Month (`YYYY-MM`) for the file of an empty table, which has types but no rows. */
  emptyMonth: string;
  /** A month with more rows is split into several files. */
  rowsPerFile: number;
}

export interface WrittenTable {
  /** Files reused from the previous version. */
  linked: readonly ManifestFile[];
  written: readonly WrittenFile[];
}

/** Writes one table into a version folder: as one file, or as one or more files per month. */
export async function writeTable(
  warehouse: DuckDb,
  model: PublishedTable,
  columns: readonly ManifestColumn[],
  options: WriteTableOptions,
): Promise<WrittenTable> {
  if (model.published.isByMonth) return await writeMonths(warehouse, model, columns, options);
  return { linked: [], written: [await writeWhole(warehouse, model, columns, options)] };
}

export async function listColumns(
  warehouse: DuckDb,
  schema: "core" | "mart",
): Promise<(table: string) => ManifestColumn[]> {
  const found = await warehouse.all<{ table: string; name: string; type: string }>(
    `select table_name as table, column_name as name, data_type as type from duckdb_columns()
    where database_name = current_database() and schema_name = ? order by table_name, column_index`,
    [schema],
  );
  const known = new Map<string, ManifestColumn[]>();
  for (const { table, name, type } of found) {
    const columns = known.get(table) ?? [];
    columns.push({
      name,
      type: typeInFiles(name, type),
      description: schema === "mart" ? describeColumn(table, name) : "",
    });
    known.set(table, columns);
  }
  return (table) => {
    const columns = known.get(table);
    if (!columns) throw new Error(`${schema} has no table ${table}`);
    return columns;
  };
}

function describeColumn(table: string, name: string): string {
  const column = describeColumns(table).find((one) => one.name === name);
  return column ? joinDefinition(column) : "";
}

function selectFor(model: PublishedTable, columns: readonly ManifestColumn[], where = ""): string {
  const list = columns
    .map(({ name, type }) => `${toFile(`model.${sqlName(name)}`, type)} as ${sqlName(name)}`)
    .join(", ");
  // Columns are qualified to sort by the model's values, because the published columns, which are cast, have the same
  // names.
  const order = model.published.orderedBy.map((name) => `model.${name}`).join(", ");
  return `select ${list} from ${model.name} as model ${where} ${order && `order by ${order}`}`;
}

async function writeWhole(
  warehouse: DuckDb,
  model: PublishedTable,
  columns: readonly ManifestColumn[],
  { versionFolder }: WriteTableOptions,
): Promise<WrittenFile> {
  const path = `${model.table}${model.isFolder ? "/data" : ""}.parquet`;
  return await writeParquetFile(warehouse, { select: selectFor(model, columns), versionFolder, path });
}

async function writeMonths(
  warehouse: DuckDb,
  model: PublishedTable,
  columns: readonly ManifestColumn[],
  { versionFolder, previous, emptyMonth, rowsPerFile }: WriteTableOptions,
): Promise<WrittenTable> {
  const write = (path: string, where: string) =>
    writeParquetFile(warehouse, {
      select: selectFor(model, columns, where),
      versionFolder,
      path: `${model.table}/${path}`,
    });
  const reusable = findReusable(model, columns, versionFolder, previous);
  const reused = await reusable?.linkUnchanged();
  const linked = reused?.linked ?? [];
  const changedMonths = reused?.changedMonths;
  const days: Map<string, DayRows[]> =
    changedMonths?.length === 0 ? new Map() : await countDays(warehouse, model, changedMonths?.[0]);
  const written: WrittenFile[] = [];
  for (const month of changedMonths ?? days.keys()) {
    const { linked: before, next } = (await reusable?.linkBefore(month)) ?? {
      linked: [],
      next: `${month}-01`,
    };
    linked.push(...before);
    const daysLeft = days.get(month)?.filter(({ date }) => date >= next) ?? [];
    for (const part of splitMonth(next, daysLeft, rowsPerFile)) {
      const path = `${getMonthFolder(model, month)}/${part.name}`;
      const file = await reusable?.linkPart(`${model.table}/${path}`, part);
      if (file) linked.push(file);
      else written.push(await write(path, buildDateFilter(model, part)));
    }
  }
  if (linked.length + written.length === 0)
    written.push(await write(`${getMonthFolder(model, emptyMonth)}/data.parquet`, "where false"));
  return { linked, written };
}

/**
 * Returns the folder of a month. Readers add a column for a folder `month=YYYY-MM`, so a table with a column `month`
 * gets `YYYY-MM`.
 */
function getMonthFolder(model: PublishedTable, month: string): string {
  return getDateColumn(model) === "month" ? month : `month=${month}`;
}

function buildDateFilter(model: PublishedTable, { from, to }: Pick<MonthPart, "from" | "to">): string {
  return `where ${getDateColumn(model)} between date '${from}' and date '${to}'`;
}

/** Counts rows per day in one statement, keyed by month (`YYYY-MM`), in order. @param from first month. @default all */
async function countDays(
  warehouse: DuckDb,
  model: PublishedTable,
  from = "0001-01",
): Promise<Map<string, DayRows[]>> {
  const column = getDateColumn(model);
  const days = await warehouse.all<{ date: string; rows: number }>(
    `select ${column} as date, count(*) as rows from ${model.name}
    where ${column} >= date '${from}-01' group by 1 order by 1`,
  );
  const months = new Map<string, DayRows[]>();
  for (const day of days) {
    const month = day.date.slice(0, "YYYY-MM".length);
    const known = months.get(month);
    if (known) known.push(day);
    else months.set(month, [day]);
  }
  return months;
}

/** Returns the previous version's files for reuse; `undefined` without any, or if its columns differ. */
function findReusable(
  model: PublishedTable,
  columns: readonly ManifestColumn[],
  versionFolder: string,
  previous: PreviousVersion | undefined,
): ReusableFiles | undefined {
  const table = previous?.manifest.tables[model.table];
  if (!previous || !table?.partitioned || listTypes(table.columns) !== listTypes(columns)) return undefined;
  return new ReusableFiles({
    folder: previous.folder,
    versionFolder,
    files: table.files,
    changedDates: previous.changedDates[getTopic(model)].flatMap((date) =>
      listDatesAround(date, getReach(model)).map((changed) => toRowDate(model, changed)),
    ),
  });
}

function listTypes(columns: readonly ManifestColumn[]): string {
  return columns.map(({ name, type }) => `${name} ${type}`).join();
}

/** Returns a model's topic. A view that is published by month is always a view of plays. */
function getTopic({ built }: PublishedTable): Topic {
  return built.by === "day" ? built.topic : "plays";
}

function getReach({ built }: PublishedTable): number {
  return built.by === "day" ? built.reachDays : 0;
}

/** Lists the local dates up to `reachDays` before and after a date, inclusive. */
function listDatesAround(date: string, reachDays: number): string[] {
  return Array.from({ length: 2 * reachDays + 1 }, (_, index) => addDays(date, index - reachDays));
}
