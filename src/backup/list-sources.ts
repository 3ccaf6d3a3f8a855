import { existsSync, lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { getCredentialsPath } from "../config/credentials-file.ts";
import { customFolderOf } from "../config/data-folder.ts";
import { findCurrentVersion } from "../mart/published-versions.ts";
import { resolveLinks } from "../util/files/folders.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { secretName } from "./backup-manifest.ts";
import { backupFolderError } from "./errors.ts";

/**
 * Lists the files to back up, with their paths in the backup (with `/` as separator) and their current paths.
 * Omits reports and older versions, which can be rebuilt, and loaded landings, whose rows are in the warehouse.
 * @param stateCopy path at which a copy of `state.db` is created
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE` if files that should be in the backup are missing
 */
export function listSources(
  { settings, folder, state }: Workspace,
  { stateCopy, withSecret }: { stateCopy: string; withSecret: boolean },
): Map<string, string> {
  const secrets = withSecret ? listSecrets({ settings, folder }) : [];
  const own = customFolderOf(settings);
  assertPresent(folder.reference, false);
  assertPresent(own, own !== folder.own);
  const loaded = new Set(state.landings.listLoaded().map(({ path }) => path));
  const version = findCurrentVersion(folder.published);
  const below = (parent: string, as = parent) =>
    listFiles(parent).map((file) => [folder.relativePath(join(as, file)), join(parent, file)] as const);
  state.copyTo(stateCopy);
  return new Map([
    ...(existsSync(folder.warehouseFile)
      ? [[folder.relativePath(folder.warehouseFile), folder.warehouseFile] as const]
      : []),
    ...below(folder.reference),
    ...below(own, folder.own),
    ...below(folder.landing).filter(([path]) => !loaded.has(path)),
    ...(version === undefined ? [] : below(join(folder.published, version))),
    [folder.relativePath(folder.stateFile), stateCopy],
    ...secrets,
  ]);
}

/** Lists the client's secret and the key that signs proofs, by their paths in the backup. */
function listSecrets({ settings, folder }: Pick<Workspace, "settings" | "folder">): [string, string][] {
  const credentials = getCredentialsPath(settings.get("VENUE_HOME"));
  const found = [
    [secretName, credentials],
    [folder.relativePath(folder.proofKey), folder.proofKey],
  ].filter((entry): entry is [string, string] => existsSync(entry[1] ?? ""));
  if (found.length > 0) return found;
  throw backupFolderError(
    `Neither ${credentials} nor ${folder.proofKey} exists. Run this again without --with-secret.`,
  );
}

/** Rejects a link or setting whose folder is missing, because a backup without this folder would look complete. */
function assertPresent(folder: string, isNamed: boolean): void {
  const isLink = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink();
  if (existsSync(folder) || !(isLink || isNamed)) return;
  throw backupFolderError(
    `${folder} ${isLink ? "is a link to a folder that doesn't exist" : "(VENUE_OWN_DIR) doesn't exist"}, so it can't be backed up. Mount or create it, or remove the ${isLink ? "link" : "setting"}.`,
  );
}

/**
 * Lists the files in a folder and its subfolders, as relative paths. Follows links, except broken ones and those
 * to a folder that contains them. Empty if the folder is missing.
 */
function listFiles(folder: string, containing: readonly string[] = []): string[] {
  const real = resolveLinks(folder);
  if (containing.includes(real) || !findFacts(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const facts = findFacts(path);
      if (facts?.isDirectory()) return listFiles(path, [...containing, real]).map((file) => join(name, file));
      return facts?.isFile() ? [name] : [];
    });
}

/** Returns `undefined` for a missing file, and for a broken or circular link. */
function findFacts(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return undefined;
    throw error;
  }
}
