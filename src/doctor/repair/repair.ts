import { existsSync, lstatSync, readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isSpillFolderInUse } from "../../engines/duckdb/spill-folders.ts";
import { sweepLandings } from "../../load/landings/landing-loader.ts";
import { findManifest } from "../../mart/manifest.ts";
import { findCurrentVersion, listVersions } from "../../mart/published-versions.ts";
import { removeUnfinished } from "../../publish/settle-killed-publish.ts";
import { removePartialFiles } from "../../report/format/write-report.ts";
import type { Runs } from "../../state/data/runs.ts";
import { swapLink } from "../../util/files/durable-files.ts";
import { sha256Of } from "../../util/files/file-content.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { repairHome } from "./repair-home.ts";
import { repairWarehouse } from "./repair-warehouse.ts";

/**
 * Repairs what it can without losing irreplaceable data: removes leftovers of killed runs, restricts file
 * modes, restores a missing link, and recovers a lost or damaged warehouse. Requires the run lock, so that no
 * other run is changing the folder.
 * @returns the repairs made, one line each
 */
export async function repair(workspace: Workspace): Promise<string[]> {
  return [
    ...repairHome(workspace.settings.get("VENUE_HOME")),
    ...(await clearLeftovers(workspace)),
    ...(await restoreCurrent(workspace.folder.published, workspace.signal)),
    ...(await repairWarehouse(workspace)),
  ];
}

/** Describes each killed run that the next run will close, one line each. */
export function describeClosingRuns(runs: Runs): string[] {
  return runs
    .list(1000)
    .filter(({ status }) => status === "running")
    .map(
      ({ run_id, command, pid }) =>
        `closed run ${run_id} (venue ${command}): its process ${pid} was killed; released its lock`,
    );
}

/**
 * Minimum age of files to remove from `tmp/`, because younger ones may belong to a report that has just
 * started.
 */
const minUnusedAgeMs = 10 * 60_000;
/** The same on systems that do not list open files. */
const maxUnusedAgeMs = 24 * 3_600_000;

/** Removes unfinished files left by killed runs. Requires the run lock, but reports may be read meanwhile. */
async function clearLeftovers(workspace: Workspace): Promise<string[]> {
  const { landing, published, reports, temp } = workspace.folder;
  return [
    ...(await listRemoved(landing, () => sweepLandings(workspace))),
    ...(await listRemoved(published, () => removeUnfinished(published))),
    ...removePartialFiles(reports).map(formatRemoval),
    ...(await listRemoved(temp, () => removeUnused(temp))),
  ];
}

/** Runs a removal, and returns one line for each name that it removed from the folder. */
async function listRemoved(folder: string, remove: () => void | Promise<void>): Promise<string[]> {
  const before = readdirSync(folder);
  await remove();
  const left = new Set(readdirSync(folder));
  return before.filter((name) => !left.has(name)).map((name) => formatRemoval(join(folder, name)));
}

function formatRemoval(path: string): string {
  return `removed ${path}, left unfinished by a killed run`;
}

/**
 * Removes unused spill files of DuckDB and temporary copies. Decides by age and open files, because names do
 * not show which process owns a file.
 */
function removeUnused(folder: string): void {
  const open = openFiles();
  for (const name of readdirSync(folder)) {
    if (isSpillFolderInUse(folder, name)) continue;
    const path = join(folder, name);
    const ageMs = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    const isUnused =
      open === undefined
        ? ageMs > maxUnusedAgeMs
        : ageMs > minUnusedAgeMs && !open.some((file) => file === path || file.startsWith(`${path}/`));
    if (isUnused) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Lists the open files of all processes that this user may inspect. `undefined` on systems that do not list
 * them.
 */
function openFiles(): string[] | undefined {
  if (process.platform !== "linux") return undefined;
  return list("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => list(`/proc/${pid}/fd`).flatMap((fd) => target(`/proc/${pid}/fd/${fd}`)));
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The process has ended, or belongs to another user.
    return [];
  }
}

function target(link: string): string[] {
  try {
    return [readlinkSync(link)];
  } catch {
    return [];
  }
}

/**
 * Points `current` at the newest intact version, if it does not point at a version.
 * @returns the repairs made
 */
async function restoreCurrent(publishedFolder: string, signal: AbortSignal): Promise<string[]> {
  if (findCurrentVersion(publishedFolder) !== undefined) return [];
  const link = join(publishedFolder, "current");
  const facts = lstatSync(link, { throwIfNoEntry: false });
  // Leaves anything else with that name alone.
  if (facts && !facts.isSymbolicLink()) return [];
  for (const version of listVersions(publishedFolder).reverse()) {
    if (!(await isIntact(join(publishedFolder, version), signal))) continue;
    swapLink(link, version);
    return [`pointed ${link} at ${version}, the newest intact version`];
  }
  return [];
}

async function isIntact(versionFolder: string, signal: AbortSignal): Promise<boolean> {
  const manifest = findManifest(versionFolder);
  if (!manifest) return false;
  for (const { path, sha256 } of Object.values(manifest.tables).flatMap(({ files }) => files)) {
    signal.throwIfAborted();
    const file = join(versionFolder, path);
    if (!existsSync(file) || (await sha256Of(file)) !== sha256) return false;
  }
  return true;
}
