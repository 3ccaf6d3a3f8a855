import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { lineWriter, longestLine } from "./line-writer.mjs";
import { isSpoiled, spoil } from "./spoil.mjs";

/**
 * Writes plays as lines, in constant memory.
 * @param order batches of plays from orders.mjs
 * @param options `flags`: `w` for a new file, `a` to append; `spoils`: whether some lines are broken
 */
export async function writeLines(file, history, order, { flags = "w", spoils = false } = {}) {
  const put = lineWriter(history);
  const handle = await open(file, flags);
  let buffer;
  let line = 0;
  try {
    for (const { zones, plays, count } of order) {
      buffer ??= Buffer.allocUnsafe(plays.length * longestLine);
      let at = 0;
      for (let index = 0; index < count; index += 1) {
        const end = put(buffer, at, zones[index], plays[index]);
        at = spoils && isSpoiled(line) ? spoil(buffer, at, end, line) : end;
        line += 1;
      }
      for (let done = 0; done < at; ) done += (await handle.write(buffer, done, at - done)).bytesWritten;
    }
  } finally {
    await handle.close();
  }
}

export async function gzipFile(from, to) {
  const chunk = { highWaterMark: 1 << 20 };
  await pipeline(
    createReadStream(from, chunk),
    createGzip({ level: 1, chunkSize: 1 << 20 }),
    createWriteStream(to, chunk),
  );
}
