import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getCredentialsPath } from "../config/credentials-file.ts";
import { prepareHome } from "../config/data-folder.ts";
import { renameDurably } from "../util/files/durable-files.ts";
import { type BackupManifest, backupDamagedError } from "./backup-manifest.ts";
import { copyFile, isManifestMismatch } from "./copy-file.ts";
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
  from: string,
  home: string,
  signal: AbortSignal,
): Promise<"stored" | "left" | undefined> {
  const to = getCredentialsPath(home);
  const unfinished = `${to}.unfinished`;
  rmSync(unfinished, { force: true });
  const secret = files.find(({ path }) => path === secretName);
  if (!secret) return undefined;
  if (existsSync(to)) return "left";
  prepareHome(home);
  const source = join(from, secretName);
  try {
    const { sha256 } = await copyFile(source, unfinished, signal, 0o600).catch((cause) => {
      throw isManifestMismatch(cause) ? backupDamagedError(source, { cause }) : cause;
    });
    if (sha256 !== secret.sha256) throw backupDamagedError(source);
    renameDurably(unfinished, to);
    return "stored";
  } finally {
    rmSync(unfinished, { force: true });
  }
}
