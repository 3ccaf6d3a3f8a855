import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import {
  type CoreManifest,
  continueLineage,
  getVersionId,
  isCoreManifest,
  listChangedSince,
} from "../../mart/core-manifest.ts";
import { isOnlyForLoads, listLoadedTables } from "../../mart/loaded-tables.ts";
import { findManifest, type ManifestColumn, manifestName } from "../../mart/manifest.ts";
import { type ChangedDay, clearPending, distributeMarks, listPending } from "../../mart/pending-days.ts";
import { findCurrentVersion, incrementVersion, listVersions } from "../../mart/published-versions.ts";
import { type Topic, topics } from "../../mart/topic.ts";
import { FolderStorage } from "../../storage/folder-storage.ts";
import { renameDurably, syncFolders, writeDurably } from "../../util/files/durable-files.ts";
import { makeFolder } from "../../util/files/folders.ts";
import { softwareCommit, softwareVersion } from "../../util/files/package-files.ts";
import { withFolderErrors } from "../errors.ts";
import { removeUnfinished, unfinishedFolder } from "../finish-killed-publish.ts";
import { openRoot } from "../root/open-root.ts";
import { revealVersion } from "../root/reveal-version.ts";
import { listColumns, type PublishedTable } from "../versions/write-table.ts";
import { writeTables } from "../versions/write-tables.ts";

interface WriteCoreOptions {
  /** This machine's versions of `core`; created if missing. */
  coreFolder: string;
  now: Date;
  signal?: AbortSignal | undefined;
  /** Called before the version is recorded; if it throws, the version is not recorded. */
  beforeReveal?: () => void;
}

export interface CoreVersionSummary {
  folder: string;
  manifest: CoreManifest;
  /** Number of files reused from the previous version; all others were written. */
  linkedFiles: number;
  /** Known ids of the earlier versions whose data the warehouse still contains. */
  earlierIds: readonly string[];
}

/** Rows per play file. A cluster opens few files per statement, and a changed day rewrites little data. */
const rowsPerFile = 1_000_000;

/**
 * Writes the tables of `core` that loads fill as a version on this machine. Files of months without changed plays
 * are reused. Changed days stay pending until the version is complete, so a killed call loses none.
 */
export async function writeCoreVersion(
  warehouse: DuckDb,
  options: WriteCoreOptions,
): Promise<CoreVersionSummary> {
  const { coreFolder, signal, beforeReveal } = options;
  return await withFolderErrors(coreFolder, async () => {
    makeFolder(coreFolder);
    removeUnfinished(coreFolder);
    await warehouse.transaction(() => distributeMarks(warehouse));
    const changes = await findChanges(warehouse, coreFolder);
    const version = incrementVersion(listVersions(coreFolder));
    const folder = join(coreFolder, version);
    const unfinished = unfinishedFolder(coreFolder, version);
    mkdirSync(unfinished);
    try {
      const root = await openRoot(new FolderStorage(coreFolder));
      const before = await root.findPointer();
      const { manifest, linkedFiles } = await warehouse.interruptible(signal, () =>
        writeFiles(warehouse, { ...options, versionFolder: unfinished, version }, changes),
      );
      beforeReveal?.();
      renameDurably(unfinished, folder);
      await revealVersion(root, { folder: version, manifest }, before, () =>
        warehouse.transaction(() => recordVersion(warehouse, getVersionId(manifest))),
      );
      return { folder, manifest, linkedFiles, earlierIds: changes.earlierIds };
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  });
}

/** Writes the tables and the manifest. All files are on disk when this resolves. */
async function writeFiles(
  warehouse: DuckDb,
  { versionFolder, version, now, signal }: WriteCoreOptions & { versionFolder: string; version: string },
  { previous, changed }: Changes,
): Promise<Pick<CoreVersionSummary, "manifest" | "linkedFiles">> {
  const { tables, linkedFiles } = await writeTables(warehouse, listCoreTables(), {
    ...{ versionFolder, rowsPerFile, signal },
    previous: previous && { ...previous, changedDates: groupDates(changed) },
    emptyMonth: now.toISOString().slice(0, "YYYY-MM".length),
    columnsOf: await listCoreColumns(warehouse),
  });
  const manifest: CoreManifest = {
    ...{ version, built_at: now.toISOString(), data_as_of: null },
    ...{ software_version: softwareVersion(), software_commit: softwareCommit() },
    ...continueLineage({ version, id: randomUUID() }, previous?.manifest, changed),
    tables,
  };
  writeDurably(join(versionFolder, manifestName), `${JSON.stringify(manifest, null, 1)}\n`);
  syncFolders(versionFolder);
  return { manifest, linkedFiles };
}

interface Changes {
  previous: { folder: string; manifest: CoreManifest } | undefined;
  changed: readonly ChangedDay[];
  earlierIds: readonly string[];
}

/**
 * Finds the newest version and the days that changed since. If the warehouse did not record that version, because a
 * publish was killed or an older copy of the warehouse was restored, its days are treated as changed too.
 */
async function findChanges(warehouse: DuckDb, coreFolder: string): Promise<Changes> {
  const changed = await listPending(warehouse, "core");
  const { id } = (await warehouse.find<{ id: string }>("select id from core.published_core")) ?? {};
  const current = findCurrentVersion(coreFolder);
  const folder = join(coreFolder, current ?? "");
  const found = current === undefined ? undefined : findManifest(folder);
  const manifest = found && isCoreManifest(found) ? found : undefined;
  const unrecorded = manifest && listChangedSince(manifest, id);
  if (!manifest || !unrecorded)
    return { previous: undefined, changed, earlierIds: id === undefined ? [] : [id] };
  const ids = manifest.lineage.map((one) => one.id);
  return {
    previous: { folder, manifest },
    changed: [...changed, ...unrecorded],
    earlierIds: ids.slice(0, ids.indexOf(id ?? "") + 1),
  };
}

async function recordVersion(warehouse: DuckDb, id: string): Promise<void> {
  await clearPending(warehouse, "core");
  await warehouse.run("delete from core.published_core");
  await warehouse.run("insert into core.published_core (id) values (?)", [id]);
}

function groupDates(changed: readonly ChangedDay[]): Record<Topic, string[]> {
  const datesOf = (topic: Topic) => changed.flatMap((day) => (day.topic === topic ? [day.date] : []));
  return Object.fromEntries(topics.map((topic) => [topic, datesOf(topic)])) as Record<Topic, string[]>;
}

function listCoreTables(): PublishedTable[] {
  return listLoadedTables().map((table) => ({
    ...{ table, name: `core.${table}`, isFolder: true },
    ...(table === "play" ? byMonth : whole),
  }));
}

const byMonth: Pick<PublishedTable, "built" | "published"> = {
  built: { by: "day", topic: "plays", reachDays: 0, isAnyKind: true },
  published: { isByMonth: true, orderedBy: ["zone_id", "played_at", "item_id"] },
};

const whole: Pick<PublishedTable, "built" | "published"> = {
  built: { by: "whole" },
  published: { isByMonth: false, orderedBy: [] },
};

async function listCoreColumns(warehouse: DuckDb): Promise<(table: string) => ManifestColumn[]> {
  const columnsOf = await listColumns(warehouse, "core");
  return (table) => columnsOf(table).filter(({ name }) => !isOnlyForLoads(table, name));
}
