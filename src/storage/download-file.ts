import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { renameDurably } from "../util/files/durable-files.ts";
import { makeFolder } from "../util/files/folders.ts";
import type { Storage } from "./storage.ts";

/** Size of the parts, which are read into memory one at a time. */
const partBytes = 16 * 1024 ** 2;

interface Download {
  key: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
  /** Permissions of the file, before the umask is applied. */
  mode?: number | undefined;
  signal?: AbortSignal;
}

/**
 * Downloads an object of any size to a file. The file appears only once it is complete and on disk.
 * @returns false if the object is missing or has different content; then no file is created
 */
export async function downloadFile(
  storage: Storage,
  { key, bytes, sha256, mode, signal }: Download,
  file: string,
): Promise<boolean> {
  // Stores refuse to read past the end.
  if ((await storage.findInfo(key))?.bytes !== bytes) return false;
  const unfinished = `${file}.unfinished`;
  makeFolder(dirname(file));
  const hash = createHash("sha256");
  const handle = await open(unfinished, "w", mode);
  try {
    for (let start = 0; start < bytes; start += partBytes) {
      signal?.throwIfAborted();
      const part = await storage.findRange(key, { start, bytes: Math.min(partBytes, bytes - start) });
      if (!part) return false;
      hash.update(part);
      // Writes everything or fails, unlike `write`.
      await handle.writeFile(part);
    }
    if (hash.digest("hex") !== sha256) return false;
    await handle.sync();
    renameDurably(unfinished, file);
    return true;
  } finally {
    await handle.close();
    await rm(unfinished, { force: true });
  }
}
