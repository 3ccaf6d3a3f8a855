import { createHash } from "node:crypto";
import { readdirSync, type Stats, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { syncToDisk } from "../util/files/durable-files.ts";
import { makeFolder, resolveLinks } from "../util/files/folders.ts";

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
 * Lists the files in a folder and its subfolders, as relative paths. Follows links, except those that lead nowhere
 * or back to a folder that contains them. Empty if the folder is missing.
 */
export function listFiles(folder: string, containing: readonly string[] = []): string[] {
  const real = resolveLinks(folder);
  if (containing.includes(real) || !findFacts(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const facts = findFacts(path);
      if (facts?.isDirectory()) return listFiles(path, [...containing, real]).map((file) => join(name, file));
      return facts?.isFile() ? [name] : [];
    });
}

/** Returns `undefined` for a missing file, and for a broken or circular link. */
function findFacts(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return undefined;
    throw error;
  }
}
