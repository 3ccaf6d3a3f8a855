import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { deleteOldLandings } from "../../load/landings/landing-loader.ts";
import { removeLeftFolders } from "../../load/temporary-folder.ts";
import { findManifest } from "../../mart/manifest.ts";
import { findCurrentVersion, listVersions } from "../../mart/published-versions.ts";
import { removeUnfinished } from "../../publish/finish-killed-publish.ts";
import { listIntactFiles } from "../../publish/version-files.ts";
import { removePartialFiles } from "../../report/format/write-report.ts";
import type { Runs } from "../../state/data/runs.ts";
import { swapLink } from "../../util/files/durable-files.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { repairHome } from "./repair-home.ts";
import { repairWarehouse } from "./repair-warehouse.ts";

/**
 * Makes all repairs that lose no irreplaceable data: removes leftovers of killed runs, restricts file modes,
 * restores a missing link, and recovers a lost or damaged warehouse. Requires the run lock, so that no other
 * run changes the folder.
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

/** Removes unfinished files of killed runs. Requires the run lock, but reports can still be read. */
async function clearLeftovers(workspace: Workspace): Promise<string[]> {
  const { landing, published, reports, temp } = workspace.folder;
  const list = () =>
    [landing, published, temp].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const before = list();
  await deleteOldLandings(workspace);
  removeUnfinished(published);
  await removeLeftFolders(temp);
  const left = new Set(list());
  const removed = [...before.filter((path) => !left.has(path)), ...removePartialFiles(reports)];
  return removed.map((path) => `removed ${path}, left unfinished by a killed run`);
}

/**
 * Points `current` at the newest intact version, unless it already points at a version.
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

async function isIntact(folder: string, signal: AbortSignal): Promise<boolean> {
  const manifest = findManifest(folder);
  if (!manifest) return false;
  for (const [table, { files }] of Object.entries(manifest.tables)) {
    signal.throwIfAborted();
    if ((await listIntactFiles({ folder, manifest }, table)).length < files.length) return false;
  }
  return true;
}
