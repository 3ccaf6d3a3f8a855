import { join } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { type Manifest, type ManifestFile, manifestName } from "../../mart/manifest.ts";
import { listModels, type Model } from "../../mart/model.ts";
import { awaitBoth } from "../../util/await-both.ts";
import { syncFolders, writeDurably } from "../../util/files/durable-files.ts";
import { softwareCommit } from "../../util/files/package-files.ts";
import { describeMart, type OwnReader } from "../dictionary/data-dictionary.ts";
import { renderDictionaryPage } from "../dictionary/dictionary-page.ts";
import { readSpans, rowGroupSize } from "../files/parquet-file.ts";
import type { PreviousVersion } from "./previous-version.ts";
import { listColumns, type WrittenTable, writeTable } from "./write-table.ts";

export interface WriteVersionOptions {
  /** An existing, empty folder. */
  versionFolder: string;
  version: string;
  previous: PreviousVersion | undefined;
  /** The user's reports and checks, for the dictionary. @default none */
  own?: readonly OwnReader[] | undefined;
  /**
   * @default two row groups, which is little to rewrite for a changed day, and large enough to read
   * efficiently
   */
  rowsPerFile?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Writes every file of a version. All of them are on disk when this resolves. */
export async function writeVersion(
  warehouse: DuckDb,
  { versionFolder, version, previous, own, rowsPerFile = 2 * rowGroupSize, signal }: WriteVersionOptions,
): Promise<{ manifest: Manifest; linkedFiles: number }> {
  const models = listModels();
  const manifest = await beginManifest(warehouse, version);
  const emptyMonth = manifest.built_at.slice(0, "YYYY-MM".length);
  const columnsOf = await listColumns(warehouse);
  const options = { versionFolder, previous, emptyMonth, rowsPerFile };
  const tables = await writeTables(
    warehouse,
    models.filter(({ schema }) => schema === "mart"),
    async (connection, model) => {
      signal?.throwIfAborted();
      return await writeTable(connection, model, columnsOf(model.table), options);
    },
    signal,
  );
  const filesOf = await listFiles(warehouse, versionFolder, tables);
  for (const [{ table, published }, files] of filesOf) {
    manifest.tables[table] = {
      partitioned: published.isByMonth,
      columns: columnsOf(table),
      rows: files.reduce((sum, { rows }) => sum + rows, 0),
      files,
    };
  }
  const dictionary = describeMart(models, manifest, own);
  writeDurably(join(versionFolder, "dictionary.json"), `${JSON.stringify(dictionary, null, 2)}\n`);
  writeDurably(join(versionFolder, "dictionary.html"), renderDictionaryPage(dictionary));
  writeDurably(join(versionFolder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
  syncFolders(versionFolder);
  const linkedFiles = [...tables.values()].reduce((sum, { linked }) => sum + linked.length, 0);
  return { manifest, linkedFiles };
}

/**
 * Writes two tables at a time, each on its own connection, because small files, and the beginning and end of
 * large ones, occupy only one thread. Writes one at a time if DuckDB has only one thread. After a failure no
 * further table is started.
 */
async function writeTables(
  warehouse: DuckDb,
  models: readonly Model[],
  write: (connection: DuckDb, model: Model) => Promise<WrittenTable>,
  signal: AbortSignal | undefined,
): Promise<Map<Model, WrittenTable>> {
  const written = new Map<Model, WrittenTable>();
  const waiting = [...models];
  const inTurn = async (connection: DuckDb) => {
    try {
      for (let model = waiting.shift(); model; model = waiting.shift())
        written.set(model, await write(connection, model));
    } catch (error) {
      waiting.length = 0;
      throw error;
    }
  };
  const { threads } = await warehouse.get<{ threads: number }>(
    "select current_setting('threads') as threads",
  );
  if (threads === 1) await inTurn(warehouse);
  else {
    const second = await warehouse.share();
    try {
      await awaitBoth(
        inTurn(warehouse),
        second.interruptible(signal, () => inTurn(second)),
      );
    } finally {
      second.close();
    }
  }
  return new Map(models.map((model) => [model, written.get(model) as WrittenTable]));
}

async function listFiles(
  warehouse: DuckDb,
  versionFolder: string,
  tables: ReadonlyMap<Model, WrittenTable>,
): Promise<Map<Model, ManifestFile[]>> {
  const paths = [...tables.values()].flatMap(({ written }) => written.map(({ path }) => path));
  const spanOf = await readSpans(warehouse, versionFolder, paths);
  const filesOf = new Map<Model, ManifestFile[]>();
  for (const [model, { linked, written }] of tables) {
    const files = [...linked];
    for (const { path, finished } of written) files.push({ path, ...spanOf(path), ...(await finished) });
    filesOf.set(
      model,
      files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    );
  }
  return filesOf;
}

async function beginManifest(warehouse: DuckDb, version: string): Promise<Manifest> {
  const row = await warehouse.get<{ builtAt: string; dataAsOf: string | null; softwareVersion: string }>(
    `select built_at as "builtAt", data_as_of as "dataAsOf", software_version as "softwareVersion"
    from core.version where version = ?`,
    [version],
  );
  return {
    version,
    built_at: toIsoInstant(row.builtAt),
    data_as_of: row.dataAsOf === null ? null : toIsoInstant(row.dataAsOf),
    software_version: row.softwareVersion,
    software_commit: softwareCommit(),
    tables: {},
  };
}

function toIsoInstant(timestamp: string): string {
  return new Date(`${timestamp.replace(" ", "T")}Z`).toISOString();
}
