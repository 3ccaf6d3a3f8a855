import { existsSync, readdirSync, rmdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { machineFolder } from "../../lake/layout.ts";

/** A reader that read a manifest is done with what it names after so long, in milliseconds. */
const keptForMs = 10 * 60_000;

/** Where a machine's files grow. Readers of Hive's kind pass over names that begin with a dot. */
export function unfinishedFolder(lake: string, machine: string): string {
  return join(lake, "core", `.unfinished-${machine}`);
}

/** All folders of a machine, one per table, relative to the lake. */
export function listMachineFolders(lake: string, machine: string): string[] {
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
