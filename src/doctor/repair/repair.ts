import { existsSync, lstatSync, readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { mayBeSpilledInto } from "../../engines/duckdb/spill-folders.ts";
import { sweepLandings } from "../../load/landings/landing-loader.ts";
import { findManifest } from "../../mart/manifest.ts";
import { findCurrentVersion, listVersions } from "../../mart/published-versions.ts";
import { removeUnfinished } from "../../publish/versions/settle-killed-publish.ts";
import { removeParts } from "../../report/format/write-report.ts";
import type { Runs } from "../../state/data/runs.ts";
import { swapLink } from "../../util/files/durable-files.ts";
import { sha256Of } from "../../util/files/file-content.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { repairHome } from "./repair-home.ts";
import { repairWarehouse } from "./repair-warehouse.ts";

/**
 * Mends what can be mended without losing anything that can't be had again: what runs that were killed left behind,
 * modes of files, a link that is gone, a warehouse that is lost or damaged. For a run of its own: nothing is touched
 * while another one lives.
 * @returns what was done, one line each
 */
export async function repair(workspace: Workspace): Promise<string[]> {
  return [
    ...repairHome(workspace.settings.get("VENUE_HOME")),
    ...(await clearLeftovers(workspace)),
    ...(await restoreCurrent(workspace.folder.published, workspace.signal)),
    ...(await repairWarehouse(workspace)),
  ];
}

/** What the next run to begin does about those that were killed, one line each. */
export function listClosing(runs: Runs): string[] {
  return runs
    .list(1000)
    .filter(({ status }) => status === "running")
    .map(
      ({ run_id, command, pid }) =>
        `closed run ${run_id} (venue ${command}): its process ${pid} was killed, and its lock is taken away`,
    );
}

/** Younger than this, something in `tmp/` may be of a report that has only just begun. */
const youngMs = 10 * 60_000;
/** Where nobody can tell what is in use. */
const surelyOldMs = 24 * 3_600_000;

/**
 * Removes what runs that were killed left half done in the data folder. The holder of the run lock alone may do so;
 * reports may be read meanwhile.
 * @returns what was done
 */
async function clearLeftovers(workspace: Workspace): Promise<string[]> {
  const { landing, published, reports, temp } = workspace.folder;
  return [
    ...(await removedBy(landing, () => sweepLandings(workspace))),
    ...(await removedBy(published, () => removeUnfinished(published))),
    ...removeParts(reports).map(sayRemoved),
    ...(await removedBy(temp, () => removeUnused(temp))),
  ];
}

/** What a removal took from a folder. */
async function removedBy(folder: string, remove: () => void | Promise<void>): Promise<string[]> {
  const before = readdirSync(folder);
  await remove();
  const left = new Set(readdirSync(folder));
  return before.filter((name) => !left.has(name)).map((name) => sayRemoved(join(folder, name)));
}

function sayRemoved(path: string): string {
  return `removed ${path}, which a run that was killed left half done`;
}

/** DuckDB's overflow and copies for a moment: no name tells whose they are. */
function removeUnused(folder: string): void {
  const open = openFiles();
  for (const name of readdirSync(folder)) {
    if (mayBeSpilledInto(folder, name)) continue;
    const path = join(folder, name);
    const ageMs = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    const isUnused =
      open === undefined
        ? ageMs > surelyOldMs
        : ageMs > youngMs && !open.some((file) => file === path || file.startsWith(`${path}/`));
    if (isUnused) rmSync(path, { recursive: true, force: true });
  }
}

/** The files that processes have open, as far as we may see them; `undefined` where the system does not tell. */
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
    // It has ended, or is another user's.
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
 * Points `current` at the newest version that is whole, where it points at none.
 * @returns what was done
 */
async function restoreCurrent(publishedFolder: string, signal: AbortSignal): Promise<string[]> {
  if (findCurrentVersion(publishedFolder) !== undefined) return [];
  const link = join(publishedFolder, "current");
  const facts = lstatSync(link, { throwIfNoEntry: false });
  // Something else of that name is not ours to take away.
  if (facts && !facts.isSymbolicLink()) return [];
  for (const version of listVersions(publishedFolder).reverse()) {
    if (!(await isWhole(join(publishedFolder, version), signal))) continue;
    swapLink(link, version);
    return [`pointed ${link} at ${version}, the newest version that is whole`];
  }
  return [];
}

/** Every file is there as it was written. */
async function isWhole(versionFolder: string, signal: AbortSignal): Promise<boolean> {
  const manifest = findManifest(versionFolder);
  if (!manifest) return false;
  for (const { path, sha256 } of Object.values(manifest.tables).flatMap(({ files }) => files)) {
    signal.throwIfAborted();
    const file = join(versionFolder, path);
    if (!existsSync(file) || (await sha256Of(file)) !== sha256) return false;
  }
  return true;
}
