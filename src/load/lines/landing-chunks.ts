import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { LandingUnreadableError } from "../landing-unreadable-error.ts";

/** A landing may begin with it; it belongs to no line. */
export const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

const defaultChunkBytes = 512 * 1024;

/** A landing is packed where its name says so, as DuckDB has it. */
export function isPacked(path: string): boolean {
  return path.endsWith(".gz");
}

export interface ReadOptions {
  /** Where to begin in a landing that is not packed, in bytes. @default 0 */
  from?: number;
  /** Where to end, exclusive. @default its end */
  to?: number;
  /** @default 512 KiB */
  chunkBytes?: number;
}

/**
 * The bytes of a landing, unpacked. A chunk is valid until the next one is asked for.
 * @throws {LandingUnreadableError}
 */
export async function* readChunks(path: string, options: ReadOptions = {}): AsyncGenerator<Buffer> {
  try {
    yield* isPacked(path) ? unpacked(path) : plain(path, options);
  } catch (error) {
    throw new LandingUnreadableError(path, { cause: error });
  }
}

async function* plain(
  path: string,
  { from = 0, to = Number.POSITIVE_INFINITY, chunkBytes = defaultChunkBytes }: ReadOptions,
): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, to - from));
    for (let at = from; at < to; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - at), at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

async function* unpacked(path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: defaultChunkBytes });
  const source = createReadStream(path).on("error", (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip);
    // It stops at a zero byte between members, or after them, as if nothing followed.
    if (gunzip.bytesWritten < source.bytesRead) throw new BytesAfterGzip();
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

class BytesAfterGzip extends Error {
  override readonly name = "BytesAfterGzip";
  readonly code = "Z_BYTES_AFTER";

  constructor() {
    super("other bytes follow its gzip data");
  }
}
