import { readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { downloadFile } from "../storage/download-file.ts";
import type { Storage } from "../storage/storage.ts";
import { renameDurably, writeDurably } from "../util/files/durable-files.ts";
import { makeFolder } from "../util/files/folders.ts";
import { forEachAtOnce } from "../util/for-each-at-once.ts";
import { VenueError } from "../util/venue-error.ts";
import { LakeDamagedError } from "./errors.ts";
import { machinesFolder, manifestFile } from "./layout.ts";
import {
  assertStored,
  findStoredManifest,
  listNamed,
  type NamedFile,
  readStoredManifests,
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

async function fetchMachines(
  storage: Storage,
  folder: string,
  stored: ReadonlyMap<string, StoredManifest>,
  options: FetchLakeOptions,
): Promise<void> {
  const named = [...stored.values()].flatMap(({ manifest }) => listNamed(manifest));
  assertFits(storage.location, named, options.limitBytes);
  removeOthers(folder, new Set(named.map(({ file }) => file.path)));
  const missing = named.filter(({ file }) => findSize(join(folder, file.path)) !== file.bytes);
  if (missing.length > 0) await assertStored(storage, missing);
  await forEachAtOnce(missing, downloadsAtOnce, async ({ machine, file }) => {
    options.signal?.throwIfAborted();
    options.onProgress(file.path);
    if (!(await downloadFile(storage, { key: file.path, ...file }, join(folder, file.path))))
      throw new LakeDamagedError(machine, `${storage.addressOf(file.path)} is missing or has other content`);
  });
  writeManifests(folder, stored);
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
