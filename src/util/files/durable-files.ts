import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Syncs a file's content, or a folder's list of names, to disk. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Syncs the names in a folder and in all its subfolders to disk. */
export function syncFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) syncFolders(join(folder, entry.name));
  }
  syncToDisk(folder);
}

/**
 * Writes all bytes at a position. On a nearly full disk, the first write stores only some bytes, without an error,
 * and writing the rest fails.
 */
export function writeFully(descriptor: number, content: Uint8Array, position: number): void {
  for (let from = 0; from < content.length; )
    from += writeSync(descriptor, content, from, content.length - from, position + from);
}

export function writeDurably(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content);
  syncToDisk(path);
}

/** Renames a file or folder, and syncs to disk. Atomically replaces an existing file or link. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncToDisk(dirname(to));
}

/**
 * Points a symbolic link to another target, atomically and durably. It always has the old or the new target.
 * @param target relative to the link's folder
 */
export function swapLink(link: string, target: string): void {
  const next = `${link}.${process.pid}.new`;
  rmSync(next, { force: true });
  symlinkSync(target, next);
  try {
    renameDurably(next, link);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}
