import { existsSync, readdirSync, rmdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { machineFolder, machinesFolder, manifestFile } from "../../lake/layout.ts";
import { listMachines } from "../../lake/machine.ts";
import { syncToDisk } from "../../util/files/durable-files.ts";
import { findClosestWord } from "../../util/text/words.ts";
import { VenueError } from "../../util/venue-error.ts";
import { withFolderErrors } from "../errors.ts";
import { retentionMs } from "../root/sweep-versions.ts";

/** Returns the folder for a machine's incomplete files. Hive readers skip names that begin with a dot. */
export function unfinishedFolder(lake: string, machine: string): string {
  return join(lake, "core", `.unfinished-${machine}`);
}

/** Lists a machine's folders, one per table, relative to the lake. */
function listMachineFolders(lake: string, machine: string): string[] {
  return listFolders(join(lake, "core"))
    .map((table) => machineFolder(table, machine))
    .filter((folder) => existsSync(join(lake, folder)));
}

/** Lists machines that have folders, with or without a manifest. */
function listMachinesWithFolders(lake: string): string[] {
  const folders = listFolders(join(lake, "core")).flatMap((table) => listFolders(join(lake, "core", table)));
  return [...new Set(folders)].flatMap((name) => /^machine=(.+)$/.exec(name)?.[1] ?? []).sort();
}

/** Starts the ten minutes after which files that the next manifest does not name may be removed. */
export function retireFiles(lake: string, paths: readonly string[]): void {
  const now = new Date();
  for (const path of paths) {
    const folder = join(lake, dirname(path));
    if (existsSync(folder)) utimesSync(folder, now, now);
  }
}

/** Removes files that the manifest does not name, once no reader can be using them. */
export function sweepMachine(lake: string, machine: string, named: readonly string[]): void {
  const kept = new Set(named.map((path) => dirname(path)));
  for (const folder of listMachineFolders(lake, machine)) {
    for (const version of listVersions(lake, folder)) {
      const isOld = Date.now() - statSync(join(lake, version)).mtimeMs > retentionMs;
      if (!kept.has(version) && isOld) rmSync(join(lake, version), { recursive: true, force: true });
    }
    removeEmptyFolders(join(lake, folder));
  }
}

/** Lists the folders that hold one file each. */
function listVersions(lake: string, folder: string): string[] {
  return listFolders(join(lake, folder)).flatMap((name) =>
    name.startsWith("month=")
      ? listFolders(join(lake, folder, name)).map((version) => `${folder}/${name}/${version}`)
      : `${folder}/${name}`,
  );
}

function removeEmptyFolders(folder: string): void {
  for (const name of listFolders(folder)) removeEmptyFolders(join(folder, name));
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

function listFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name);
}

export interface ForgottenMachine {
  machine: string;
  files: number;
  bytes: number;
}

/**
 * Removes a machine from a lake: first its manifest, so that no new reader opens its files, then the files.
 * Readers that already use them fail. If a removal was interrupted, calling this again completes it.
 * @throws {VenueError} `UNKNOWN_MACHINE` if the lake has nothing from this machine
 */
export async function forgetMachine(lake: string, machine: string): Promise<ForgottenMachine> {
  const machines = [...new Set([...listMachines(lake), ...listMachinesWithFolders(lake)])].sort();
  if (!machines.includes(machine)) throw unknownMachineError(lake, machine, machines);
  return await withFolderErrors(lake, async () => {
    const removed: ForgottenMachine = { machine, files: 0, bytes: 0 };
    do {
      rmSync(manifestFile(lake, machine), { force: true });
      if (existsSync(machinesFolder(lake))) syncToDisk(machinesFolder(lake));
      for (const folder of listMachineFolders(lake, machine)) removeFolder(join(lake, folder), removed);
      rmSync(unfinishedFolder(lake, machine), { recursive: true, force: true });
      // Repeats if a publish in progress has meanwhile written a manifest that names removed files.
    } while (existsSync(manifestFile(lake, machine)));
    return removed;
  });
}

function removeFolder(folder: string, removed: ForgottenMachine): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    removed.files += 1;
    removed.bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  rmSync(folder, { recursive: true, force: true });
}

export function unknownMachineError(lake: string, machine: string, machines: readonly string[]): VenueError {
  const meant = findClosestWord(machine, machines);
  const known = machines.length === 0 ? "has no machines" : `has ${machines.join(", ")}`;
  return new VenueError(
    "UNKNOWN_MACHINE",
    "usage",
    `No machine ${JSON.stringify(machine)} has published into ${lake}, which ${known}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
  );
}
