import { join } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { type Manifest, manifestName } from "../../mart/manifest.ts";
import { listModels } from "../../mart/model.ts";
import { syncFolders, writeDurably } from "../../util/files/durable-files.ts";
import { softwareCommit } from "../../util/files/package-files.ts";
import { type CustomReader, describeMart } from "../dictionary/data-dictionary.ts";
import { renderDictionaryPage } from "../dictionary/dictionary-page.ts";
import { rowGroupSize } from "../files/parquet-file.ts";
import type { PreviousVersion } from "./previous-version.ts";
import { listColumns } from "./write-table.ts";
import { writeTables } from "./write-tables.ts";

export interface WriteVersionOptions {
  /** An existing, empty folder. */
  versionFolder: string;
  version: string;
  previous: PreviousVersion | undefined;
  /** The user's reports and checks, for the dictionary. @default none */
  custom?: readonly CustomReader[] | undefined;
  /** @default two row groups: a changed day rewrites little, and files are large enough to be read efficiently */
  rowsPerFile?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Writes every file of a version. All of them are on disk when this resolves. */
export async function writeVersion(
  warehouse: DuckDb,
  { versionFolder, version, previous, custom, rowsPerFile = 2 * rowGroupSize, signal }: WriteVersionOptions,
): Promise<{ manifest: Manifest; linkedFiles: number }> {
  const models = listModels();
  const manifest = await beginManifest(warehouse, version);
  const { tables, linkedFiles } = await writeTables(
    warehouse,
    models.filter(({ schema }) => schema === "mart"),
    {
      ...{ versionFolder, previous, rowsPerFile, signal },
      emptyMonth: manifest.built_at.slice(0, "YYYY-MM".length),
      columnsOf: await listColumns(warehouse, "mart"),
    },
  );
  manifest.tables = tables;
  const dictionary = describeMart(models, manifest, custom);
  writeDurably(join(versionFolder, "dictionary.json"), `${JSON.stringify(dictionary, null, 2)}\n`);
  writeDurably(join(versionFolder, "dictionary.html"), renderDictionaryPage(dictionary));
  writeDurably(join(versionFolder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
  syncFolders(versionFolder);
  return { manifest, linkedFiles };
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
