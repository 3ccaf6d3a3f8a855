import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { syncToDisk } from "../util/files/durable-files.ts";
import { makeFolder } from "../util/files/folders.ts";

/** Copies a file, on disk when this resolves; folders in between are made. @returns what was written */
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
  // Both are open before anything can fail: a file that is made later stands in a folder that was cleared.
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

/** What the system answers where a manifest names no file that there is, a folder, or a file twice. */
const misnamed = ["ENOENT", "ENOTDIR", "EISDIR", "EEXIST", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"];

/** Whether a copy failed as its backup does not hold what its manifest says. */
export function isMisnamed(error: unknown): boolean {
  return misnamed.includes((error as NodeJS.ErrnoException).code ?? "");
}

/** The files below a folder, and links to files, relative to it, with `/`; none where it is missing. */
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

/** Not where a link leads nowhere, or in a circle: nobody can read that. */
function isFile(link: string): boolean {
  return existsSync(link) && statSync(link).isFile();
}
