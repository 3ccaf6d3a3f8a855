import type { ObjectInfo, Storage } from "../storage/storage.ts";
import { LakeDamagedError, lakeEmptyError } from "./errors.ts";
import { checkNumberIsFree, type LakeFile, type MachineManifest, parseManifest } from "./machine.ts";

/**
 * Returns each machine's current manifest, ordered by name, after checking that its files exist. A build reads the
 * manifests only once. The files of each are complete, and are kept for ten minutes after the machine has published
 * newer ones.
 * @throws {LakeDamagedError} if a file named by a manifest is missing or has another size
 * @throws as `readStoredManifests` does
 */
export async function readStoredLake(storage: Storage): Promise<MachineManifest[]> {
  const machines = [...(await readStoredManifests(storage)).values()].map(({ manifest }) => manifest);
  await assertStored(storage, machines.flatMap(listNamed));
  return machines;
}

/** Returns the key of a machine's manifest in a store. */
export function manifestKey(machine: string): string {
  return `machines/${machine}.json`;
}

/** A manifest as read from a store. */
export interface StoredManifest {
  manifest: MachineManifest;
  text: string;
  /** Version of the object, for a conditional write. */
  objectVersion: string;
  /** When it became visible to readers, by the store's clock. */
  shownAt: Date;
}

export async function listStoredMachines(storage: Storage): Promise<string[]> {
  const machines: string[] = [];
  for await (const { key } of storage.list("machines/"))
    machines.push(...(/^machines\/(\w[\w-]*)\.json$/.exec(key)?.slice(1) ?? []));
  return machines.sort();
}

/**
 * Reads all manifests, keyed by machine name.
 * @throws {VenueError} `LAKE_EMPTY` if no machine has published yet
 * @throws {VenueError} `MACHINE_NUMBER_TAKEN` if ids of two machines would collide
 * @throws {LakeDamagedError}
 * @throws {LakeTooNewError}
 */
export async function readStoredManifests(storage: Storage): Promise<Map<string, StoredManifest>> {
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

/**
 * @throws {LakeDamagedError}
 * @throws {LakeTooNewError}
 */
export async function findStoredManifest(
  storage: Storage,
  machine: string,
): Promise<StoredManifest | undefined> {
  const key = manifestKey(machine);
  const found = await storage.find(key);
  if (!found) return undefined;
  const text = found.content.toString();
  const manifest = parseManifest(text, storage.addressOf(key), machine);
  return { manifest, text, objectVersion: found.version, shownAt: found.modifiedAt };
}

/** A file that a machine's manifest names. */
export interface NamedFile {
  machine: string;
  file: LakeFile;
}

export function listNamed({ name, tables }: MachineManifest): NamedFile[] {
  return Object.values(tables).flatMap(({ files }) => files.map((file) => ({ machine: name, file })));
}

/** @throws {LakeDamagedError} for the first file that is missing or has another size */
export async function assertStored(storage: Storage, named: readonly NamedFile[]): Promise<void> {
  const there = await listStoredFiles(storage);
  for (const { machine, file } of named) {
    // A listing may be out of date.
    const found = there.get(file.path) ?? (await storage.findInfo(file.path));
    const address = storage.addressOf(file.path);
    if (!found) throw new LakeDamagedError(machine, `${address} is missing`);
    if (found.bytes !== file.bytes)
      throw new LakeDamagedError(machine, `${address} has ${found.bytes} bytes, not ${file.bytes}`);
  }
}

/**
 * Detects lost manifests: a machine without a manifest that still has files was not removed from the lake,
 * because removal deletes its files, too.
 * @param gone machines that were in the lake, but have no manifest now
 * @throws {LakeDamagedError} for the first machine with files but no manifest
 */
export async function assertNoLostManifests(storage: Storage, gone: readonly string[]): Promise<void> {
  if (gone.length === 0) return;
  const withFiles = new Set([...(await listStoredFiles(storage)).keys()].map(machineOf));
  const lost = gone.find((machine) => withFiles.has(machine));
  if (lost === undefined) return;
  throw new LakeDamagedError(lost, `${storage.addressOf(manifestKey(lost))} is missing`);
}

/** Lists the data files of all machines in a lake, or of one machine. */
export async function listStoredFiles(storage: Storage, machine?: string): Promise<Map<string, ObjectInfo>> {
  const files = new Map<string, ObjectInfo>();
  for await (const file of storage.list("core/"))
    if (machine === undefined || machineOf(file.key) === machine) files.set(file.key, file);
  return files;
}

/** Returns the machine to which a data file's key belongs. */
export function machineOf(key: string): string | undefined {
  return /^core\/\w+\/machine=([\w-]+)\//.exec(key)?.[1];
}
