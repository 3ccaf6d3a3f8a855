import { existsSync, readdirSync, rmdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { machineFolder, machinesFolder, manifestFile } from "../../lake/layout.ts";
import { listMachines } from "../../lake/machine.ts";
import { syncToDisk } from "../../util/files/durable-files.ts";
import { closestWord } from "../../util/text/words.ts";
import { VenueError } from "../../util/venue-error.ts";
import { translatingFolderErrors } from "../publish-to.ts";

/** A reader that read a manifest is done with what it names after so long, in milliseconds. */
const keptForMs = 10 * 60_000;

/** Where a machine's files grow. Readers of Hive's kind pass over names that begin with a dot. */
export function unfinishedFolder(lake: string, machine: string): string {
  return join(lake, "core", `.unfinished-${machine}`);
}

/** All folders of a machine, one per table, relative to the lake. */
function listMachineFolders(lake: string, machine: string): string[] {
  return listFolders(join(lake, "core"))
    .map((table) => machineFolder(table, machine))
    .filter((folder) => existsSync(join(lake, folder)));
}

/** Machines that have folders, with or without a manifest. */
export function listMachinesWithFolders(lake: string): string[] {
  const folders = listFolders(join(lake, "core")).flatMap((table) => listFolders(join(lake, "core", table)));
  return [...new Set(folders)].flatMap((name) => /^machine=(.+)$/.exec(name)?.[1] ?? []).sort();
}

/** Says of files that readers will no longer find in the manifest that their ten minutes begin now. */
export function retireFiles(lake: string, paths: readonly string[]): void {
  const now = new Date();
  for (const path of paths) {
    const folder = join(lake, dirname(path));
    if (existsSync(folder)) utimesSync(folder, now, now);
  }
}

/** Removes what the manifest does not name, once no reader can be under way with it. */
export function sweepMachine(lake: string, machine: string, named: readonly string[]): void {
  const kept = new Set(named.map((path) => dirname(path)));
  for (const folder of listMachineFolders(lake, machine)) {
    for (const version of listVersions(lake, folder)) {
      const isOld = Date.now() - statSync(join(lake, version)).mtimeMs > keptForMs;
      if (!kept.has(version) && isOld) rmSync(join(lake, version), { recursive: true, force: true });
    }
    removeEmptyFolders(join(lake, folder));
  }
}

/** The folders that hold a file each. */
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

/** What was removed. */
export interface ForgottenMachine {
  machine: string;
  files: number;
  bytes: number;
}

/**
 * Takes a machine out of a lake: first its manifest, so that nobody looks for its files any more, and then these. What
 * was cut off, a second call completes. Who reads the machine's files meanwhile fails.
 * @throws {VenueError} `UNKNOWN_MACHINE` when the lake has nothing of it
 */
export async function forgetMachine(lake: string, machine: string): Promise<ForgottenMachine> {
  const machines = [...new Set([...listMachines(lake), ...listMachinesWithFolders(lake)])].sort();
  if (!machines.includes(machine)) throw unknownMachineError(lake, machine, machines);
  return await translatingFolderErrors(lake, async () => {
    const removed: ForgottenMachine = { machine, files: 0, bytes: 0 };
    do {
      rmSync(manifestFile(lake, machine), { force: true });
      if (existsSync(machinesFolder(lake))) syncToDisk(machinesFolder(lake));
      for (const folder of listMachineFolders(lake, machine)) removeFolder(join(lake, folder), removed);
      rmSync(unfinishedFolder(lake, machine), { recursive: true, force: true });
      // Of a publish that was under way a manifest may have come that names what is gone.
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

/** A name that a lake does not know. */
function unknownMachineError(lake: string, machine: string, machines: readonly string[]): VenueError {
  const meant = closestWord(machine, machines);
  const known = machines.length === 0 ? "has no machine at all" : `has ${machines.join(", ")}`;
  return new VenueError(
    "UNKNOWN_MACHINE",
    "usage",
    `No machine ${JSON.stringify(machine)} has published into ${lake}: it ${known}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
  );
}
