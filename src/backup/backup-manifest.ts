import { isAbsolute, normalize } from "node:path";
import { z } from "zod";
import { versionForm } from "../mart/published-versions.ts";
import type { Storage } from "../storage/storage.ts";
import { VenueError } from "../util/venue-error.ts";

/** Version of the backup layout. It is increased whenever older software can no longer restore a backup. */
export const backupFormat = 1;

export const backupManifestName = "backup.json";

const file = z.object({
  /** Path relative to the backup folder, with `/` as separator. */
  path: z.string().refine(isWithin),
  bytes: z.number().int().nonnegative(),
  sha256: z.string(),
});

const manifest = z.object({
  format: z.literal(backupFormat),
  /** ISO instant. */
  made_at: z.string(),
  software_version: z.string(),
  software_commit: z.string().nullable(),
  /** Published version at the time of the backup; null if nothing was published yet. */
  published_version: z.string().regex(versionForm).nullable(),
  plays: z.number().int().nonnegative(),
  files: z.array(file),
});

/**
 * Content of `backup.json`. It lists every file and is written last, so that a restore can check that the
 * backup is complete.
 */
export type BackupManifest = z.infer<typeof manifest>;
export type BackupFile = z.infer<typeof file>;

/** @throws {VenueError} `NO_BACKUP`, `BACKUP_TOO_NEW` or `BACKUP_DAMAGED` */
export async function readBackupManifest(backup: Storage): Promise<BackupManifest> {
  const found = await backup.find(backupManifestName).catch(ignoreMisnamed);
  if (!found) throw noBackupError(backup.location);
  const path = backup.addressOf(backupManifestName);
  const content = parse(found.content.toString(), path);
  const { format } = Object(content) as { format?: unknown };
  if (typeof format === "number" && format > backupFormat) throw backupTooNewError(backup.location);
  const { data, error } = manifest.safeParse(content);
  if (error) throw backupDamagedError(path, { cause: error });
  return data;
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw backupDamagedError(path, { cause });
  }
}

/** System error codes that occur if a manifest names a missing file, a folder, or an invalid name. */
const misnamed = ["ENOENT", "ENOTDIR", "EISDIR", "EEXIST", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"];

/** Treats a file as missing if it can't be read because the backup does not match its manifest. */
export function ignoreMisnamed(error: unknown): undefined {
  if (!misnamed.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
}

/**
 * Returns true for a path inside the backup. Any other path is rejected, so that restoring a tampered backup
 * cannot write outside the data folder.
 */
function isWithin(path: string): boolean {
  return !isAbsolute(path) && normalize(path) === path && !path.startsWith("..");
}

function noBackupError(folder: string): VenueError {
  return new VenueError(
    "NO_BACKUP",
    "usage",
    `${folder} has no ${backupManifestName}, so it is not a backup. Specify one created by \`venue backup\`.`,
  );
}

function backupTooNewError(folder: string): VenueError {
  return new VenueError(
    "BACKUP_TOO_NEW",
    "usage",
    `${folder} was created by a newer version of venue-analytics. Install that version to restore it.`,
  );
}

export function backupDamagedError(path: string, options?: ErrorOptions): VenueError {
  return new VenueError(
    "BACKUP_DAMAGED",
    "damage",
    `${path} is missing or damaged. Nothing was restored. Restore from another backup.`,
    options,
  );
}
