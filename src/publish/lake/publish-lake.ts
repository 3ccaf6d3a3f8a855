import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { withLessMemory } from "../../engines/duckdb/with-less-memory.ts";
import { sqlName } from "../../engines/sql-text.ts";
import { LakeDamagedError } from "../../lake/errors.ts";
import { listLakeTables, machinesFolder, manifestFile } from "../../lake/layout.ts";
import {
  checkMachineName,
  checkNumberIsFree,
  findManifest,
  type LakeFile,
  listMachines,
  type MachineManifest,
  manifestFormat,
} from "../../lake/machine.ts";
import { listModels, type Model } from "../../mart/model.ts";
import { renameDurably, syncToDisk, writeDurably } from "../../util/files/durable-files.ts";
import { makeFolder } from "../../util/files/folders.ts";
import { softwareCommit } from "../../util/files/package-files.ts";
import type { Logger } from "../../util/logger.ts";
import { VenueError } from "../../util/venue-error.ts";
import { withFolderErrors } from "../errors.ts";
import { retireFiles, sweepMachine, unfinishedFolder } from "./machine-folders.ts";
import { findContent, type TableContent } from "./table-content.ts";
import { assertNoLoss, writeFiles } from "./write-files.ts";

/**
 * DuckDB's share of the memory limit. The rest is for its Parquet writer, which its own limit does not cover.
 */
export const memoryShare = 0.65;

export interface PublishLakeOptions {
  lake: string;
  machine: string;
  now: Date;
  softwareVersion: string;
  /** Publishes even if the warehouse lacks published data. @default false */
  acceptLoss?: boolean;
  signal?: AbortSignal | undefined;
  /** Called before readers see the files; if it throws, they never do. */
  beforeReveal?: () => void;
  logger: Logger;
  /** Called with the path of each file before it is written. */
  onProgress?: (path: string) => void;
}

export interface PublishLakeSummary {
  manifest: MachineManifest;
  files: number;
  /** Files that had to be written. */
  written: number;
  rows: number;
}

/**
 * Publishes `core` into a lake. Writes the missing files next to the existing ones, then shows all of them to
 * readers at once, by swapping the machine's manifest. If it is killed before that, readers keep the previous
 * set, and the next publish reuses the written files. Machines have separate folders and manifests.
 * @throws {VenueError} `MACHINE_NAME_INVALID` if the name cannot be part of a path
 * @throws {VenueError} `MACHINE_NUMBER_TAKEN` if the name collides with another machine's
 * @throws {VenueError} `LAKE_LOSS` if the warehouse lacks published data, and `acceptLoss` is not set
 * @throws {VenueError} `PUBLISH_FOLDER_UNUSABLE` if the lake cannot be written
 */
export async function publishLake(
  warehouse: DuckDb,
  options: PublishLakeOptions,
): Promise<PublishLakeSummary> {
  const { lake, machine, acceptLoss = false, signal, beforeReveal, logger, onProgress = () => {} } = options;
  checkMachineName(machine);
  const unfinished = unfinishedFolder(lake, machine);
  return await withFolderErrors(lake, async () => {
    checkNumberIsFree(listMachines(lake), machine);
    const before = findPublishedManifest(lake, machine, logger);
    rmSync(unfinished, { recursive: true, force: true });
    makeFolder(unfinished);
    try {
      const publish = async () => {
        if (before && !acceptLoss) await assertNoLoss(warehouse, before, { lake });
        const contents = await findContents(warehouse, machine, signal);
        const wanted = Object.values(contents).flatMap(({ files }) => files);
        const place = { lake, unfinished, before, signal, onProgress };
        const { files, written } = await writeFiles(warehouse, wanted, place);
        const manifest = await describeMachine(warehouse, contents, files, options);
        beforeReveal?.();
        revealManifest(manifest, { lake, unfinished, before });
        const rows = files.reduce((sum, file) => sum + file.rows, 0);
        logger.info(`published core into ${lake} as ${machine}`, { files: files.length, written, rows });
        return { manifest, files: files.length, written, rows };
      };
      return await warehouse.interruptible(signal, () => withLessMemory(warehouse, memoryShare, publish));
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  });
}

/**
 * Returns the published manifest. A damaged one counts as missing, so all files that it named are checked
 * again.
 */
function findPublishedManifest(lake: string, machine: string, logger: Logger): MachineManifest | undefined {
  try {
    return findManifest(lake, machine);
  } catch (error) {
    if (!(error instanceof LakeDamagedError)) throw error;
    logger.warn(`${error.message.split(". ", 1)[0]}: it will be rewritten`);
    return undefined;
  }
}

export async function findContents(
  warehouse: DuckDb,
  machine: string,
  signal: AbortSignal | undefined,
): Promise<Record<string, TableContent>> {
  const contents: Record<string, TableContent> = {};
  for (const table of listLakeTables()) {
    signal?.throwIfAborted();
    contents[table] = await findContent(warehouse, table, machine);
  }
  return contents;
}

export async function describeMachine(
  warehouse: DuckDb,
  contents: Readonly<Record<string, TableContent>>,
  files: readonly LakeFile[],
  { machine, now, softwareVersion }: Pick<PublishLakeOptions, "machine" | "now" | "softwareVersion">,
): Promise<MachineManifest> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const tables: MachineManifest["tables"] = {};
  for (const [table, { columns, files: wanted, days }] of Object.entries(contents)) {
    const found = wanted.flatMap(({ path }) => byPath.get(path) ?? []);
    tables[table] = { columns, files: found, ...(days && { days }) };
  }
  return {
    format: manifestFormat,
    name: machine,
    published_at: now.toISOString(),
    software_version: softwareVersion,
    software_commit: softwareCommit(),
    data_as_of: (await findLoadedAsOf(warehouse)) ?? null,
    tables,
  };
}

/** Swaps the manifest. Files that it no longer names may still be in use, so they are removed later. */
function revealManifest(
  manifest: MachineManifest,
  { lake, unfinished, before }: { lake: string; unfinished: string; before: MachineManifest | undefined },
): void {
  const { name } = manifest;
  const paths = listPaths(manifest);
  if (paths.some((path) => !existsSync(join(lake, path)))) throw lakeForgottenError(lake, name);
  const named = new Set(paths);
  retireFiles(lake, before ? listPaths(before).filter((path) => !named.has(path)) : []);
  const next = join(unfinished, "manifest.json");
  writeDurably(next, `${JSON.stringify(manifest, null, 1)}\n`);
  makeFolder(machinesFolder(lake));
  renameDurably(next, manifestFile(lake, name));
  syncToDisk(lake);
  sweepMachine(lake, name, paths);
}

export function listPaths({ tables }: MachineManifest): string[] {
  return Object.values(tables).flatMap(({ files }) => files.map(({ path }) => path));
}

export function lakeForgottenError(lake: string, machine: string): VenueError {
  return new VenueError(
    "LAKE_FORGOTTEN",
    "usage",
    `Files of ${machine} were removed from ${lake} while it was publishing, as \`venue lake forget\` does. Run this again to publish all of them.`,
  );
}

/**
 * Returns the "data as of" instant; `undefined` without loads. It runs the models that define it as views in
 * a separate database, because the warehouse's own models may be from an older version or not built.
 * @returns ISO instant
 */
async function findLoadedAsOf(warehouse: DuckDb): Promise<string | undefined> {
  const { home } = await warehouse.get<{ home: string }>("select current_database() as home");
  await warehouse.run("attach ':memory:' as models");
  try {
    await warehouse.run("use models; create schema core; create schema staging; create schema mart");
    for (const table of listLakeTables()) {
      await warehouse.run(`create view core.${table} as select * from ${sqlName(home)}.core.${table}`);
    }
    for (const { name, sql } of listDependencies("staging.freshness")) {
      await warehouse.run(`create view ${name} as ${sql}`);
    }
    const { instant } = await warehouse.get<{ instant: string | null }>(
      "select data_as_of as instant from staging.freshness",
    );
    return instant === null ? undefined : new Date(`${instant.replace(" ", "T")}Z`).toISOString();
  } finally {
    await warehouse.run(`use ${sqlName(home)}; detach models`);
  }
}

/** Lists a model and all models it reads, in build order. */
function listDependencies(name: string, models = listModels()): Model[] {
  const model = models.find((one) => one.name === name);
  if (!model) return [];
  const needed = [...model.reads.flatMap((read) => listDependencies(read, models)), model];
  return [...new Set(needed)];
}
