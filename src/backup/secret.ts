import { createHash } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { getCredentialsPath } from "../config/credentials-file.ts";
import { prepareHome } from "../config/data-folder.ts";
import type { Storage } from "../storage/storage.ts";
import { renameDurably, syncToDisk } from "../util/files/durable-files.ts";
import { type BackupManifest, backupDamagedError, ignoreMisnamed } from "./backup-manifest.ts";
import { backupFolderError } from "./errors.ts";

/** Name of the file with the client's secret in a backup made with `--with-secret`. */
export const secretName = "credentials.json";

/** Returns the path of the secret. @throws {VenueError} `BACKUP_FOLDER_IN_USE` if it does not exist */
export function getSecretFile(home: string): string {
  const path = getCredentialsPath(home);
  if (existsSync(path)) return path;
  throw backupFolderError(`${path} does not exist. Run this again without --with-secret.`);
}

/** Stores the secret unless `VENUE_HOME` already has one. @returns `undefined` if the backup has none */
export async function restoreSecret(
  { files }: BackupManifest,
  backup: Storage,
  home: string,
): Promise<"stored" | "left" | undefined> {
  const to = getCredentialsPath(home);
  const unfinished = `${to}.unfinished`;
  rmSync(unfinished, { force: true });
  const secret = files.find(({ path }) => path === secretName);
  if (!secret) return undefined;
  if (existsSync(to)) return "left";
  const found = await backup.find(secretName).catch(ignoreMisnamed);
  if (!found || createHash("sha256").update(found.content).digest("hex") !== secret.sha256)
    throw backupDamagedError(backup.addressOf(secretName));
  prepareHome(home);
  try {
    writeFileSync(unfinished, found.content, { mode: 0o600 });
    syncToDisk(unfinished);
    renameDurably(unfinished, to);
    return "stored";
  } finally {
    rmSync(unfinished, { force: true });
  }
}
