import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Returns once the file's content, or the folder's list of names, is on disk. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns once the names in a folder, and in all folders below it, are on disk. */
export function syncFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) syncFolders(join(folder, entry.name));
  }
  syncToDisk(folder);
}

/** Writes a new file, on disk when this returns. */
export function writeDurably(path: string, content: string): void {
  writeFileSync(path, content);
  syncToDisk(path);
}

/** Renames, on disk when this returns. A file or link that has the name already gives way in the same instant. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncToDisk(dirname(to));
}

/**
 * Points a symbolic link elsewhere, on disk when this returns: who follows it sees the old target or the new one, never
 * none.
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
