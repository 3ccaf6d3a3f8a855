import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { syncToDisk } from "../util/files/durable-files.ts";
import { makeFolder } from "../util/files/folders.ts";

/** Copies a file and syncs it to disk; creates missing folders. @returns the size and hash written */
export async function copyFile(
  from: string,
  to: string,
  signal: AbortSignal,
  mode = 0o666,
): Promise<{ bytes: number; sha256: string }> {
  makeFolder(dirname(to));
  const hash = createHash("sha256");
  let bytes = 0;
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  // Opens both files before anything else can fail. A stream that creates its file later could create it in a
  // folder that was already cleaned up.
  const source = await open(from);
  const target = await open(to, "wx", mode).catch(async (error) => {
    await source.close();
    throw error;
  });
  await pipeline(source.createReadStream({ highWaterMark: 1024 * 1024 }), count, target.createWriteStream(), {
    signal,
  });
  syncToDisk(to);
  return { bytes, sha256: hash.digest("hex") };
}

/**
 * Lists the files and links to files in a folder and its subfolders, as relative paths. Empty if the folder
 * is missing.
 */
export function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter(
        (entry) => entry.isFile() || (entry.isSymbolicLink() && isFile(join(entry.parentPath, entry.name))),
      )
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Returns false for a broken or circular link, because it cannot be read. */
function isFile(link: string): boolean {
  return existsSync(link) && statSync(link).isFile();
}
