import { copyFileSync, existsSync, linkSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DuckDb } from "../engines/duckdb.ts";
import type { Model } from "../engines/model.ts";
import type { Topic } from "../engines/topic.ts";
import type { ManifestColumn, ManifestFile, ManifestTable } from "./manifest.ts";
import { sha256Of, writeParquetFile } from "./parquet-file.ts";
import type { PreviousVersion } from "./previous-version.ts";

export interface WriteTableOptions {
  versionFolder: string;
  /** `undefined`: every month is written. */
  previous: PreviousVersion | undefined;
  /** `YYYY-MM`: names the folder of the typed file without rows that stands for an empty table. */
  emptyMonth: string;
}

/** Writes one table of the mart into a version folder: one file, or one per month. */
export async function writeTable(
  warehouse: DuckDb,
  model: Model,
  options: WriteTableOptions,
): Promise<{ table: ManifestTable; linkedFiles: number }> {
  const columns = await describeColumns(warehouse, model);
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
async function describeColumns(warehouse: DuckDb, model: Model): Promise<ManifestColumn[]> {
  const described = await warehouse.all<{ column_name: string; column_type: string }>(
    `describe ${model.name}`,
  );
  return described.map(({ column_name: name, column_type: type }) => ({
    name,
    type: type === "TIMESTAMP" && !name.endsWith("_local") ? "TIMESTAMP WITH TIME ZONE" : type,
    description: model.columns.find((column) => column.name === name)?.description ?? "",
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
  { versionFolder, previous, emptyMonth }: WriteTableOptions,
): Promise<{ files: ManifestFile[]; linkedFiles: number }> {
  const write = (month: string, where: string) =>
    writeParquetFile(warehouse, {
      select: selectFor(model, columns, where),
      versionFolder,
      path: `${model.table}/month=${month}/data.parquet`,
      hasDate: true,
    });
  const linked = await linkUnchanged(model, columns, versionFolder, previous);
  const written: Promise<ManifestFile>[] = [];
  for (const month of linked?.changedMonths ?? (await listMonths(warehouse, model))) {
    const firstDay = `date '${month}-01'`;
    const { rows, finished } = await write(
      month,
      `where date >= ${firstDay} and date < ${firstDay} + interval 1 month`,
    );
    if (rows > 0) written.push(finished);
    else rmSync(dirname(join(versionFolder, (await finished).path)), { recursive: true });
  }
  const linkedFiles = linked?.files.length ?? 0;
  if (written.length + linkedFiles === 0) written.push((await write(emptyMonth, "where false")).finished);
  const files = [...(linked?.files ?? []), ...(await Promise.all(written))];
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, linkedFiles };
}

async function listMonths(warehouse: DuckDb, model: Model): Promise<string[]> {
  const months = await warehouse.all<{ month: string }>(
    `select distinct strftime(date, '%Y-%m') as month from (select distinct date from ${model.name}) order by month`,
  );
  return months.map(({ month }) => month);
}

/**
 * Links the files of months that did not change, and names those that did. `undefined` when nothing of the
 * version before can serve: there is none, or its columns are others.
 */
async function linkUnchanged(
  model: Model,
  columns: readonly ManifestColumn[],
  versionFolder: string,
  previous: PreviousVersion | undefined,
): Promise<{ files: ManifestFile[]; changedMonths: string[] } | undefined> {
  const table = previous?.manifest.tables[model.table];
  if (!previous || !table?.partitioned || typesOf(table.columns) !== typesOf(columns)) return undefined;
  const changedDates = previous.changedDates[topicOf(model)];
  const changed = new Set(changedDates.flatMap((date) => monthsAround(date, reachOf(model))));
  const files: ManifestFile[] = [];
  for (const file of table.files) {
    const month = /month=(\d{4}-\d{2})\//.exec(file.path)?.[1];
    if (month === undefined || changed.has(month) || file.rows === 0) continue;
    const source = join(previous.folder, file.path);
    // Its content is looked at: a file that was damaged since would be handed on from version to version.
    if (existsSync(source) && (await sha256Of(source)) === file.sha256) {
      linkFile(source, join(versionFolder, file.path));
      files.push(file);
    } else {
      changed.add(month);
    }
  }
  return { files, changedMonths: [...changed].sort() };
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

/** The months (`YYYY-MM`) that the days up to `reachDays` before and after a date fall into. */
function monthsAround(date: string, reachDays: number): string[] {
  const months: string[] = [];
  for (let offset = -reachDays; offset <= reachDays; offset += 1) {
    const day = new Date(Date.parse(`${date}T00:00:00Z`) + offset * 86_400_000);
    months.push(day.toISOString().slice(0, 7));
  }
  return months;
}

function linkFile(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  try {
    linkSync(source, target);
  } catch {
    // Some file systems know no hard links.
    copyFileSync(source, target);
  }
}
