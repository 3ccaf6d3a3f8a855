import { readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { downloadFile } from "../storage/download-file.ts";
import type { Storage } from "../storage/storage.ts";
import { renameDurably, writeDurably } from "../util/files/durable-files.ts";
import { makeFolder } from "../util/files/folders.ts";
import { forEachAtOnce } from "../util/for-each-at-once.ts";
import { VenueError } from "../util/venue-error.ts";
import { LakeDamagedError, lakeEmptyError } from "./errors.ts";
import { machinesFolder, manifestFile } from "./layout.ts";
import { checkNumberIsFree, type LakeFile, type MachineManifest } from "./machine.ts";
import {
  findStoredManifest,
  listStoredFiles,
  listStoredMachines,
  machineOf,
  type StoredManifest,
} from "./stored-lake.ts";

interface FetchLakeOptions {
  /** Maximum size of the folder. */
  limitBytes: number;
  signal?: AbortSignal | undefined;
  /** Called with the path of each file before it is downloaded. */
  onProgress: (path: string) => void;
}

const downloadsAtOnce = 4;
/** Number of attempts; one fails if a machine publishes during the download. */
const attempts = 3;

/**
 * Mirrors a lake from a store into a folder: downloads missing files and removes those that no manifest names any
 * more. Any code that reads a lake in a folder can then read the copy.
 * @throws {VenueError} `LAKE_EMPTY` if no machine has published yet
 * @throws {VenueError} `LAKE_CACHE_TOO_SMALL` if the lake is larger than the limit
 * @throws {LakeDamagedError} if a manifest is damaged, or a file that it names is missing or has different content
 */
export async function fetchLake(storage: Storage, folder: string, options: FetchLakeOptions): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const stored = await readStoredManifests(storage);
    try {
      await fetchMachines(storage, folder, stored, options);
      return;
    } catch (error) {
      if (!(error instanceof LakeDamagedError) || attempt === attempts) throw error;
      // The machine may have published meanwhile and removed files of its earlier manifest.
      const now = await findStoredManifest(storage, error.machine);
      if (now?.objectVersion === stored.get(error.machine)?.objectVersion) throw error;
    }
  }
}

/** Reads all manifests, keyed by machine name. */
async function readStoredManifests(storage: Storage): Promise<Map<string, StoredManifest>> {
  const names = await listStoredMachines(storage);
  const stored = new Map<string, StoredManifest>();
  for (const name of names) {
    checkNumberIsFree(names, name);
    const found = await findStoredManifest(storage, name);
    if (found) stored.set(name, found);
  }
  if (stored.size === 0) throw lakeEmptyError(storage.location);
  return stored;
}

async function fetchMachines(
  storage: Storage,
  folder: string,
  stored: ReadonlyMap<string, StoredManifest>,
  options: FetchLakeOptions,
): Promise<void> {
  const named = [...stored.values()].flatMap(({ manifest }) => listNamed(manifest));
  assertFits(storage.location, named, options.limitBytes);
  removeOthers(folder, new Set(named.map(({ file }) => file.path)));
  const there = await listStoredFiles(storage);
  const missing = named.filter(({ file }) => findSize(join(folder, file.path)) !== file.bytes);
  for (const { machine, file } of missing) {
    // A listing may be out of date.
    const found = there.get(file.path) ?? (await storage.findInfo(file.path));
    const address = storage.addressOf(file.path);
    if (!found) throw new LakeDamagedError(machine, `${address} is missing`);
    if (found.bytes !== file.bytes)
      throw new LakeDamagedError(machine, `${address} has ${found.bytes} bytes, not ${file.bytes}`);
  }
  await forEachAtOnce(missing, downloadsAtOnce, async ({ machine, file }) => {
    options.signal?.throwIfAborted();
    options.onProgress(file.path);
    if (!(await downloadFile(storage, { key: file.path, ...file }, join(folder, file.path))))
      throw new LakeDamagedError(machine, `${storage.addressOf(file.path)} is missing or has other content`);
  });
  // A machine with files but no manifest has lost its manifest. Its folder lets `assertNoLostManifests` detect that.
  for (const machine of new Set([...there.keys()].flatMap((key) => machineOf(key) ?? [])))
    makeFolder(join(folder, "core", "load", `machine=${machine}`));
  writeManifests(folder, stored);
}

interface NamedFile {
  machine: string;
  file: LakeFile;
}

function listNamed({ name, tables }: MachineManifest): NamedFile[] {
  return Object.values(tables).flatMap(({ files }) => files.map((file) => ({ machine: name, file })));
}

function assertFits(location: string, named: readonly NamedFile[], limitBytes: number): void {
  const bytes = named.reduce((sum, { file }) => sum + file.bytes, 0);
  if (bytes <= limitBytes) return;
  throw new VenueError(
    "LAKE_CACHE_TOO_SMALL",
    "usage",
    `The lake ${location} has ${toGigabytes(bytes)} GB, and VENUE_LAKE_CACHE_GB allows ${toGigabytes(limitBytes)} GB for its copy on this machine. Increase it.`,
  );
}

function toGigabytes(bytes: number): string {
  return (Math.ceil(bytes / 1e8) / 10).toString();
}

/** Removes files that no manifest names, and then empty folders. */
function removeOthers(folder: string, named: ReadonlySet<string>): void {
  const removeBelow = (path: string) => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const inside = `${path}/${entry.name}`;
      if (entry.isDirectory()) removeBelow(inside);
      else if (!named.has(inside)) rmSync(join(folder, inside));
    }
    if (readdirSync(join(folder, path)).length === 0) rmdirSync(join(folder, path));
  };
  makeFolder(join(folder, "core"));
  removeBelow("core");
}

function findSize(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

function writeManifests(folder: string, stored: ReadonlyMap<string, StoredManifest>): void {
  const machines = machinesFolder(folder);
  makeFolder(machines);
  for (const name of readdirSync(machines))
    if (!stored.has(name.replace(/\.json$/, ""))) rmSync(join(machines, name), { recursive: true });
  for (const [machine, { text }] of stored) {
    const file = manifestFile(folder, machine);
    writeDurably(`${file}.new`, text);
    renameDurably(`${file}.new`, file);
  }
}
