import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

const chunkBytes = 64 * 1024;

/**
 * Finds the position at which a file's gzip members end and other bytes follow.
 * @returns the members' length in bytes; `undefined` if the file is damaged or cut off
 */
export async function findGzipEnd(path: string): Promise<number | undefined> {
  const { size } = await stat(path);
  const { error, consumedBytes } = await unpack(createReadStream(path, { highWaterMark: chunkBytes }));
  if (error === undefined) return consumedBytes;
  // A single byte is too short for the header of another member, so it looks like a truncated member.
  if (error === "unexpected end of file") {
    const whole = size > 1 ? await unpack(createReadStream(path, { end: size - 2 })) : undefined;
    return whole && whole.error === undefined ? whole.consumedBytes : undefined;
  }
  if (error !== "incorrect header check") return undefined;
  // The end is in the chunk that failed. Reading this chunk byte by byte fails at the first two bytes that are
  // not a header.
  const bytewise = await unpack(Readable.from(splitFrom(path, consumedBytes)));
  return bytewise.error === error ? bytewise.consumedBytes - 1 : undefined;
}

/**
 * Decompresses a stream, discarding the output.
 * @returns zlib's error message, and the number of bytes consumed, which ends within the chunk that failed
 */
async function unpack(source: Readable): Promise<{ error: string | undefined; consumedBytes: number }> {
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error));
  let error: string | undefined;
  try {
    for await (const _ of source.pipe(gunzip));
  } catch (thrown) {
    if (!String((thrown as NodeJS.ErrnoException).code).startsWith("Z_")) throw thrown;
    error = (thrown as Error).message;
  } finally {
    source.destroy();
    gunzip.destroy();
  }
  return { error, consumedBytes: gunzip.bytesWritten };
}

/** Streams a file in chunks up to the chunk that contains `at`, and from there in single bytes. */
async function* splitFrom(path: string, at: number): AsyncGenerator<Buffer> {
  let offset = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
    const bytes: Buffer = chunk;
    if (offset + bytes.length <= at) yield bytes;
    else for (let index = 0; index < bytes.length; index += 1) yield bytes.subarray(index, index + 1);
    offset += bytes.length;
  }
}
