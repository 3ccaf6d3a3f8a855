import { isAbsolute, normalize } from "node:path";
import { z } from "zod";
import { versionForm } from "../mart/published-versions.ts";
import type { Storage } from "../storage/storage.ts";
import { backupDamagedError, backupTooNewError, noBackupError } from "./errors.ts";

/** Version of the backup layout, increased whenever older software can no longer restore a backup. */
export const backupFormat = 1;

export const backupManifestName = "backup.json";

/** Name of the file with the client's secret in a backup made with `--with-secret`. */
export const secretName = "credentials.json";

const backupFile = z.object({
  /** Path in the backup, with `/` as separator. */
  path: z.string().refine(isWithin),
  bytes: z.number().int().nonnegative(),
  sha256: z.string(),
});

export const backupManifest = z.object({
  format: z.literal(backupFormat),
  /** ISO instant. */
  made_at: z.string(),
  software_version: z.string(),
  software_commit: z.string().nullable(),
  /** Published version at the time of the backup; null if nothing was published yet. */
  published_version: z.string().regex(versionForm).nullable(),
  plays: z.number().int().nonnegative(),
  /** Id of the key that signs proofs, even if the backup does not contain the key; null if no key existed yet. */
  proof_key: z.string().nullable().default(null),
  files: z.array(backupFile),
});

/** Content of `backup.json`, which lists all other files. It is written last, and makes the backup complete. */
export type BackupManifest = z.infer<typeof backupManifest>;
export type BackupFile = z.infer<typeof backupFile>;

/** @throws {VenueError} `NO_BACKUP`, `BACKUP_TOO_NEW` or `BACKUP_DAMAGED` */
export async function readBackupManifest(backup: Storage): Promise<BackupManifest> {
  const found = await backup.find(backupManifestName).catch(ignoreMisnamed);
  if (!found) throw noBackupError(backup.location);
  try {
    const content: unknown = JSON.parse(found.content.toString());
    const { format } = Object(content) as { format?: unknown };
    if (typeof format !== "number" || format <= backupFormat) return backupManifest.parse(content);
  } catch (cause) {
    throw backupDamagedError(backup.addressOf(backupManifestName), { cause });
  }
  throw backupTooNewError(backup.location);
}

/** Treats a file as missing if its path is a folder, or contains a file where the manifest expects a folder. */
export function ignoreMisnamed(error: unknown): undefined {
  if (!["ENOTDIR", "EISDIR", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
}

/**
 * Returns true for a valid path inside the backup. Any other path is rejected, so that restoring a tampered backup
 * cannot write outside the data folder.
 */
function isWithin(path: string): boolean {
  const isValid = path.split("/").every((name) => !name.includes("\0") && Buffer.byteLength(name) <= 255);
  return isValid && !isAbsolute(path) && normalize(path) === path && !path.startsWith("..");
}
