import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

const bufferBytes = 256 * 1024;

/** Returns the hash of a file's content, in hexadecimal. */
export async function sha256Of(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  // Reuses one buffer, because garbage-collecting the chunks of a stream would take as long as hashing.
  const buffer = Buffer.allocUnsafe(bufferBytes);
  const handle = await open(file);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, bufferBytes);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

const magic = Buffer.from([0x1f, 0x8b]);

/** Returns true if a file's content is gzip, regardless of its name or content type. */
export async function isGzip(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.equals(magic);
  } finally {
    await file.close();
  }
}

/**
 * Replaces a gzip file with its content.
 * @returns false, leaving the file as it was, if the checksum is wrong or there are trailing bytes
 */
export async function unpackGzip(path: string, signal: AbortSignal): Promise<boolean> {
  const unpacked = `${path}.tmp`;
  try {
    const gunzip = createGunzip();
    await pipeline(createReadStream(path), gunzip, createWriteStream(unpacked, { flush: true }), { signal });
    // gunzip ignores anything after a zero byte, so trailing bytes are detected here.
    if (gunzip.bytesWritten < (await stat(path)).size) return false;
    await rename(unpacked, path);
    return true;
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith("Z_")) throw error;
    return false;
  } finally {
    await rm(unpacked, { force: true });
  }
}
