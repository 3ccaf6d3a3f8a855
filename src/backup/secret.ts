import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { credentialsPath } from "../config/credentials-file.ts";
import { prepareHome } from "../config/data-folder.ts";
import { renameDurably } from "../util/files/durable-files.ts";
import { type BackupManifest, backupDamagedError } from "./backup-manifest.ts";
import { copyFile, isMisnamed } from "./copy-file.ts";
import { backupFolderError } from "./errors.ts";

/** The client's secret in a backup, where it was asked for. */
export const secretName = "credentials.json";

/** Where the secret lies. @throws {VenueError} `BACKUP_FOLDER_IN_USE` where there is none */
export function getSecretFile(home: string): string {
  const path = credentialsPath(home);
  if (existsSync(path)) return path;
  throw backupFolderError(`There is no ${path} to back up. Leave --with-secret out.`);
}

/**
 * Stores the secret in `VENUE_HOME` where none is: one that is there can't be had again.
 * @returns what became of it; `undefined` where the backup has none
 */
export async function restoreSecret(
  { files }: BackupManifest,
  from: string,
  home: string,
  signal: AbortSignal,
): Promise<"stored" | "left" | undefined> {
  const to = credentialsPath(home);
  const unfinished = `${to}.unfinished`;
  rmSync(unfinished, { force: true });
  const secret = files.find(({ path }) => path === secretName);
  if (!secret) return undefined;
  if (existsSync(to)) return "left";
  prepareHome(home);
  const source = join(from, secretName);
  try {
    const { sha256 } = await copyFile(source, unfinished, signal, 0o600).catch((cause) => {
      throw isMisnamed(cause) ? backupDamagedError(source, { cause }) : cause;
    });
    if (sha256 !== secret.sha256) throw backupDamagedError(source);
    renameDurably(unfinished, to);
    return "stored";
  } finally {
    rmSync(unfinished, { force: true });
  }
}
