import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { withLessMemory } from "../../engines/duckdb/with-less-memory.ts";
import { LakeDamagedError } from "../../lake/errors.ts";
import {
  checkMachineName,
  checkNumberIsFree,
  type LakeFile,
  type MachineManifest,
  type RetiredFile,
} from "../../lake/machine.ts";
import {
  findStoredManifest,
  listStoredFiles,
  listStoredMachines,
  machineOf,
  manifestKey,
  type StoredManifest,
} from "../../lake/stored-lake.ts";
import { assertConditional } from "../../storage/assert-conditional.ts";
import { downloadFile } from "../../storage/download-file.ts";
import { StorageConflictError } from "../../storage/errors.ts";
import type { Condition, Storage } from "../../storage/storage.ts";
import { VenueError } from "../../util/venue-error.ts";
import { abandonedMs, retentionMs } from "../root/sweep-versions.ts";
import {
  describeMachine,
  findContents,
  lakeForgottenError,
  listPaths,
  memoryShare,
  type PublishLakeOptions,
  type PublishLakeSummary,
} from "./publish-lake.ts";
import type { WantedFile } from "./table-content.ts";
import { assertNoLoss, ledgers, writeFiles } from "./write-files.ts";

interface PublishStoredLakeOptions extends Omit<PublishLakeOptions, "lake"> {
  storage: Storage;
  /** Folder in which each file is written before it is uploaded. */
  tempFolder: string;
}

/** State left by the machine's earlier publishes. */
interface Before {
  /** `undefined` if there is none, or if it is damaged. */
  stored: StoredManifest | undefined;
  condition: Condition;
}

/**
 * Publishes `core` into a lake in a store, as `publishLake` does into a folder. The manifest is replaced only if no
 * other process has replaced it meanwhile, so two machines that share a name by mistake do not overwrite each other.
 * @throws {VenueError} `LAKE_OVERTAKEN` if another process published under the same name meanwhile
 * @throws {VenueError} `STORAGE_CONDITIONS_IGNORED` if the store can't prevent that
 * @throws as `publishLake` does
 */
export async function publishStoredLake(
  warehouse: DuckDb,
  options: PublishStoredLakeOptions,
): Promise<PublishLakeSummary> {
  const { storage, machine, acceptLoss = false, signal, beforeReveal, logger, tempFolder } = options;
  checkMachineName(machine);
  await assertConditional(storage);
  checkNumberIsFree(await listStoredMachines(storage), machine);
  const before = await findBefore(options);
  const earlier = before.stored?.manifest;
  const folder = mkdtempSync(join(tempFolder, "lake-"));
  const publish = async () => {
    if (earlier && !acceptLoss) {
      await fetchLedgers(storage, earlier, folder);
      await assertNoLoss(warehouse, earlier, { lake: storage.location, folder });
    }
    const contents = await findContents(warehouse, machine, signal);
    const wanted = Object.values(contents).flatMap(({ files }) => files);
    const { files, written } = await uploadMissing(warehouse, wanted, {
      ...{ ...options, folder },
      reusable: listReusable(before.stored),
    });
    const described = await describeMachine(warehouse, contents, files, options);
    const retired = listRetired(described, before.stored);
    const manifest = { ...described, ...(retired.length > 0 && { retired }) };
    beforeReveal?.();
    await revealManifest(storage, manifest, before.condition);
    await sweepStoredMachine(storage, manifest);
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    logger.info(`published core into ${storage.location} as ${machine}`, {
      files: files.length,
      written,
      rows,
    });
    return { manifest, files: files.length, written, rows };
  };
  try {
    return await warehouse.interruptible(signal, () => withLessMemory(warehouse, memoryShare, publish));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Finds the published manifest. If it is damaged, it is replaced and all files are written again. */
async function findBefore({ storage, machine, logger }: PublishStoredLakeOptions): Promise<Before> {
  try {
    const stored = await findStoredManifest(storage, machine);
    return { stored, condition: stored ? { ifMatch: stored.objectVersion } : { ifNoneMatch: "*" } };
  } catch (error) {
    if (!(error instanceof LakeDamagedError)) throw error;
    logger.warn(`${error.message.split(". ", 1)[0]}: it will be rewritten`);
    const found = await storage.find(manifestKey(machine));
    return { stored: undefined, condition: found ? { ifMatch: found.version } : { ifNoneMatch: "*" } };
  }
}

/** Downloads the tables that show whether the warehouse lacks published data. Damaged ones are skipped. */
async function fetchLedgers(storage: Storage, { tables }: MachineManifest, folder: string): Promise<void> {
  for (const { path, bytes, sha256 } of ledgers.flatMap((ledger) => tables[ledger]?.files ?? []))
    await downloadFile(storage, { key: path, bytes, sha256 }, join(folder, path));
}

/** Lists the files that the last publish named or retired but kept, even if a listing is out of date. */
function listReusable(before: StoredManifest | undefined): LakeFile[] {
  if (!before) return [];
  const { tables, retired = [] } = before.manifest;
  const kept = retired.filter((file) => !isExpired(file, before.shownAt));
  return [
    ...kept.map(({ retired_at, ...file }) => file),
    ...Object.values(tables).flatMap(({ files }) => files),
  ];
}

interface UploadMissingOptions extends PublishStoredLakeOptions {
  folder: string;
  reusable: readonly LakeFile[];
}

/** Writes and uploads missing files. Each is uploaded while the next is computed. */
async function uploadMissing(
  warehouse: DuckDb,
  wanted: readonly WantedFile[],
  { storage, machine, folder, reusable, signal, onProgress = () => {} }: UploadMissingOptions,
): Promise<{ files: LakeFile[]; written: number }> {
  const there = await listStoredFiles(storage, machine);
  const known = new Map(reusable.map((file) => [file.path, file]));
  const place = {
    lake: folder,
    unfinished: join(folder, "unfinished"),
    before: undefined,
    signal,
    onProgress,
  };
  const files: LakeFile[] = [];
  let written = 0;
  let uploading = Promise.resolve();
  try {
    for (const file of wanted) {
      const found = known.get(file.path);
      if (found && there.get(found.path)?.bytes === found.bytes) files.push(found);
      else {
        const [described] = (await writeFiles(warehouse, [file], place)).files;
        if (!described) throw new Error(`${file.path} was not written`);
        await uploading;
        uploading = uploadFile(storage, folder, described);
        files.push(described);
        written += 1;
      }
    }
    await uploading;
  } finally {
    await uploading.catch(() => undefined);
  }
  return { files, written };
}

function uploadFile(storage: Storage, folder: string, { path, sha256 }: LakeFile): Promise<void> {
  const file = join(folder, path);
  const uploading = storage.putFile(path, file, sha256).finally(() => rmSync(file, { force: true }));
  // Whoever awaits the promise gets its error. Until then, it must not count as unhandled.
  uploading.catch(() => undefined);
  return uploading;
}

/** Lists files of earlier manifests that the next one no longer names, with the time of their retirement. */
function listRetired(manifest: MachineManifest, before: StoredManifest | undefined): RetiredFile[] {
  if (!before) return [];
  const named = new Set(listPaths(manifest));
  const replaced = Object.values(before.manifest.tables).flatMap(({ files }) => files);
  const earlier = before.manifest.retired ?? [];
  const retired_at = before.shownAt.toISOString();
  // After a day, the sweep removes files even if no manifest lists them as retired.
  const isRecent = ({ retired_at: at }: RetiredFile) =>
    at === undefined || before.shownAt.getTime() - Date.parse(at) <= abandonedMs;
  return [...replaced, ...earlier.filter(isRecent).map((file) => ({ retired_at, ...file }))].filter(
    ({ path }) => !named.has(path),
  );
}

function isExpired({ retired_at }: RetiredFile, now: Date): boolean {
  return retired_at !== undefined && now.getTime() - Date.parse(retired_at) > retentionMs;
}

async function revealManifest(
  storage: Storage,
  manifest: MachineManifest,
  condition: Condition,
): Promise<void> {
  const { name } = manifest;
  const there = await listStoredFiles(storage, name);
  for (const path of listPaths(manifest)) {
    // A listing may be out of date.
    if (!there.has(path) && !(await storage.findInfo(path))) throw lakeForgottenError(storage.location, name);
  }
  try {
    await storage.put(manifestKey(name), `${JSON.stringify(manifest, null, 1)}\n`, condition);
  } catch (error) {
    if (!(error instanceof StorageConflictError)) throw error;
    const winner = await findStoredManifest(storage, name);
    if (!winner) throw lakeForgottenError(storage.location, name);
    throw lakeOvertakenError(storage.location, winner.manifest);
  }
}

/** Deletes the machine's files that no reader can be using, and abandoned uploads. Ages are by the store's clock. */
async function sweepStoredMachine(storage: Storage, manifest: MachineManifest): Promise<void> {
  const now = (await storage.findInfo(manifestKey(manifest.name)))?.modifiedAt;
  if (!now) return;
  const named = new Set(listPaths(manifest));
  const retired = new Map((manifest.retired ?? []).map((file) => [file.path, file]));
  const unused = [...(await listStoredFiles(storage, manifest.name)).values()].filter(
    ({ key, modifiedAt }) => {
      const file = retired.get(key);
      return (
        !named.has(key) && (file ? isExpired(file, now) : now.getTime() - modifiedAt.getTime() > abandonedMs)
      );
    },
  );
  await storage.delete(unused.map(({ key }) => key));
  for await (const upload of storage.listUploads()) {
    const isAbandoned = now.getTime() - upload.startedAt.getTime() > abandonedMs;
    if (machineOf(upload.key) === manifest.name && isAbandoned) await storage.abortUpload(upload);
  }
}

function lakeOvertakenError(
  lake: string,
  { name, published_at, software_version }: MachineManifest,
): VenueError {
  return new VenueError(
    "LAKE_OVERTAKEN",
    "busy",
    `While ${name} was being published into ${lake}, another process published under the same name at ${published_at} (version ${software_version}). ` +
      "Nothing was overwritten. If two machines use this name, choose another one with --source. Else run this again.",
  );
}
