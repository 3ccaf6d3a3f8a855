import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { LandingUnreadableError } from "./landing-unreadable-error.ts";

const chunkBytes = 4 * 1024 * 1024;

/**
 * The bytes of a landing, unpacked where its name ends in `.gz`. A chunk is valid until the next one is asked for.
 * @throws {LandingUnreadableError}
 */
export async function* readChunks(path: string): AsyncGenerator<Buffer> {
  try {
    yield* path.endsWith(".gz") ? unpacked(path) : plain(path);
  } catch (error) {
    throw new LandingUnreadableError(path, { cause: error });
  }
}

async function* plain(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function* unpacked(path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunkBytes });
  const source = createReadStream(path).on("error", (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}
