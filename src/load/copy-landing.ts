import { open } from "node:fs/promises";
import { readChunks } from "./landing-chunks.ts";
import { LineCursor, maxLineBytes } from "./line-cursor.ts";

const bufferedBytes = 4 * maxLineBytes;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/**
 * Copies a landing for DuckDB's reader, which gives up on a file where an object goes on over the end of a line, or
 * a line is very long. What is not one whole object becomes a line `null`, which it refuses like the original; so
 * the same lines are refused, in the same places.
 */
export async function copyLanding(from: string, to: string, signal?: AbortSignal): Promise<void> {
  const file = await open(to, "wx");
  try {
    const buffer = Buffer.allocUnsafe(bufferedBytes);
    let used = 0;
    const add = (cursor: LineCursor) => {
      if (cursor.isBlank) return;
      const { bytes, isTooLong } = cursor.line;
      used += !isTooLong && isWhole(bytes) ? bytes.copy(buffer, used) : buffer.write("null", used);
      used += buffer.write("\n", used);
    };
    const flush = async () => {
      await file.write(buffer, 0, used);
      used = 0;
    };
    const cursor = new LineCursor();
    for await (const chunk of readChunks(from)) {
      signal?.throwIfAborted();
      cursor.begin(chunk);
      while (cursor.next()) {
        add(cursor);
        if (used > bufferedBytes - maxLineBytes - 1) await flush();
      }
    }
    if (cursor.finish()) add(cursor);
    await flush();
  } finally {
    await file.close();
  }
}

function isWhole(bytes: Buffer): boolean {
  let end = bytes.length - 1;
  while (end > 0 && (bytes[end] ?? 0) <= 0x20) end -= 1;
  return bytes[0] === openingBrace && bytes[end] === closingBrace;
}
