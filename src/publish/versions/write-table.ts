import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { fullDefinition } from "../../mart/column-definition.ts";
import { describeColumns } from "../../mart/definitions.ts";
import type { ManifestColumn, ManifestFile, ManifestTable } from "../../mart/manifest.ts";
import type { Model } from "../../mart/model.ts";
import type { Topic } from "../../mart/topic.ts";
import { type DayRows, type MonthPart, partMonth } from "../files/month-parts.ts";
import { writeParquetFile } from "../files/parquet-file.ts";
import type { PreviousVersion } from "./previous-version.ts";
import { ReusableFiles } from "./reusable-files.ts";

export interface WriteTableOptions {
  versionFolder: string;
  /** `undefined`: every month is written. */
  previous: PreviousVersion | undefined;
  /** `YYYY-MM`: names the folder of the typed file without rows that stands for an empty table. */
  emptyMonth: string;
  /** A month with more rows than this has several files. */
  rowsPerFile: number;
}

/** Writes one table of the mart into a version folder: one file, or at least one per month. */
export async function writeTable(
  warehouse: DuckDb,
  model: Model,
  options: WriteTableOptions,
): Promise<{ table: ManifestTable; linkedFiles: number }> {
  const columns = await listColumns(warehouse, model);
  const { isByMonth: partitioned } = model.published;
  const { files, linkedFiles } = partitioned
    ? await writeMonths(warehouse, model, columns, options)
    : { files: [await writeWhole(warehouse, model, columns, options)], linkedFiles: 0 };
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  return { table: { partitioned, columns, rows, files }, linkedFiles };
}

/**
 * Columns as they are published: a TIMESTAMP is an instant in UTC, and published as such, unless its name ends in
 * `_local`.
 */
async function listColumns(warehouse: DuckDb, model: Model): Promise<ManifestColumn[]> {
  const described = await warehouse.describe(`select * from ${model.name}`);
  const meanings = new Map(
    describeColumns(model.table).map((column) => [column.name, fullDefinition(column)]),
  );
  return described.map(({ name, type }) => ({
    name,
    type: type === "TIMESTAMP" && !name.endsWith("_local") ? "TIMESTAMP WITH TIME ZONE" : type,
    description: meanings.get(name) ?? "",
  }));
}

function selectFor(model: Model, columns: readonly ManifestColumn[], where = ""): string {
  const list = columns.map(({ name, type }) => `cast(model.${name} as ${type}) as ${name}`).join(", ");
  // Qualified, so that it sorts by the model's own values: those cast for publishing have the same names.
  const order = model.published.orderedBy.map((name) => `model.${name}`).join(", ");
  return `select ${list} from ${model.name} as model ${where} order by ${order}`;
}

async function writeWhole(
  warehouse: DuckDb,
  model: Model,
  columns: readonly ManifestColumn[],
  { versionFolder }: WriteTableOptions,
): Promise<ManifestFile> {
  const { finished } = await writeParquetFile(warehouse, {
    select: selectFor(model, columns),
    versionFolder,
    path: `${model.table}.parquet`,
    hasDate: columns.some(({ name }) => name === "date"),
  });
  return await finished;
}

async function writeMonths(
  warehouse: DuckDb,
  model: Model,
  columns: readonly ManifestColumn[],
  { versionFolder, previous, emptyMonth, rowsPerFile }: WriteTableOptions,
): Promise<{ files: ManifestFile[]; linkedFiles: number }> {
  const write = (path: string, where: string) =>
    writeParquetFile(warehouse, {
      select: selectFor(model, columns, where),
      versionFolder,
      path: `${model.table}/${path}`,
      hasDate: true,
    });
  const reusable = findReusable(model, columns, versionFolder, previous);
  const { linked, changedMonths } = (await reusable?.linkUnchanged()) ?? {
    linked: [],
    changedMonths: await listMonths(warehouse, model),
  };
  const written: Promise<ManifestFile>[] = [];
  for (const month of changedMonths) {
    for (const part of partMonth(month, await countDays(warehouse, model, month), rowsPerFile)) {
      const path = `month=${month}/${part.name}`;
      const file = await reusable?.linkPart(`${model.table}/${path}`, part);
      if (file) linked.push(file);
      else written.push((await write(path, whereDate(part))).finished);
    }
  }
  if (linked.length + written.length === 0)
    written.push((await write(`month=${emptyMonth}/data.parquet`, "where false")).finished);
  const files = [...linked, ...(await Promise.all(written))];
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, linkedFiles: linked.length };
}

function whereDate({ from, to }: Pick<MonthPart, "from" | "to">): string {
  return `where date between date '${from}' and date '${to}'`;
}

async function listMonths(warehouse: DuckDb, model: Model): Promise<string[]> {
  const months = await warehouse.all<{ month: string }>(
    `select distinct strftime(date, '%Y-%m') as month from (select distinct date from ${model.name}) order by month`,
  );
  return months.map(({ month }) => month);
}

async function countDays(warehouse: DuckDb, model: Model, month: string): Promise<DayRows[]> {
  return await warehouse.all<{ date: string; rows: number }>(
    `select date, count(*) as rows from ${model.name}
    ${whereDate({ from: `${month}-01`, to: lastDayOf(month) })} group by date order by date`,
  );
}

function lastDayOf(month: string): string {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(Number(year), Number(number), 0)).toISOString().slice(0, 10);
}

/** The files of the version before, as far as they can serve: `undefined` where there is none, or its columns are others. */
function findReusable(
  model: Model,
  columns: readonly ManifestColumn[],
  versionFolder: string,
  previous: PreviousVersion | undefined,
): ReusableFiles | undefined {
  const table = previous?.manifest.tables[model.table];
  if (!previous || !table?.partitioned || typesOf(table.columns) !== typesOf(columns)) return undefined;
  return new ReusableFiles({
    folder: previous.folder,
    versionFolder,
    files: table.files,
    changedDates: previous.changedDates[topicOf(model)].flatMap((date) => datesAround(date, reachOf(model))),
  });
}

function typesOf(columns: readonly ManifestColumn[]): string {
  return columns.map(({ name, type }) => `${name} ${type}`).join();
}

/** A view by month is one over plays. */
function topicOf({ built }: Model): Topic {
  return built.by === "day" ? built.topic : "plays";
}

function reachOf({ built }: Model): number {
  return built.by === "day" ? built.reachDays : 0;
}

/** The local dates up to `reachDays` before and after a date, itself included. */
function datesAround(date: string, reachDays: number): string[] {
  return Array.from({ length: 2 * reachDays + 1 }, (_, index) =>
    new Date(Date.parse(`${date}T00:00:00Z`) + (index - reachDays) * 86_400_000).toISOString().slice(0, 10),
  );
}
