import type { ObjectInfo, Storage } from "../storage/storage.ts";
import { type MachineManifest, parseManifest } from "./machine.ts";

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
  return machines;
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
