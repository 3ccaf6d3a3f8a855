import { closeSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { LandingUnreadableError } from "../../errors.ts";
import { LineCursor, lineEnd, lineFeed, readChunks } from "../../lines/line-cursor.ts";

const refusedLine = Buffer.from("null");
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Where a piece is. */
interface PiecePlace {
  path: string;
  at: number;
  bytes: number;
}

interface CopyOptions {
  /**
   * DuckDB's reader gives up on a file where an object goes on over the end of a line, or a line is very long. What is
   * not one whole object becomes a line `null`, which it refuses like the original; so the same lines are refused, in
   * the same places.
   */
  isCareful: boolean;
  signal?: AbortSignal | undefined;
}

/** Copies pieces one behind the other into a new file. @throws {LandingUnreadableError} */
export async function copyPieces(
  pieces: readonly PiecePlace[],
  to: string,
  { isCareful, signal }: CopyOptions,
): Promise<void> {
  const file = await open(to, "wx");
  try {
    for (const { path, at, bytes } of joinNeighbours(pieces)) {
      const chunks = readChunks(path, { from: at, to: at + bytes });
      await (isCareful ? copyCarefully(chunks, file, signal) : copyPlainly(chunks, file, signal));
    }
  } finally {
    await file.close();
  }
}

function joinNeighbours(pieces: readonly PiecePlace[]): PiecePlace[] {
  const joined: PiecePlace[] = [];
  for (const { path, at, bytes } of pieces) {
    const last = joined.at(-1);
    if (last?.path === path && last.at + last.bytes === at) last.bytes += bytes;
    else joined.push({ path, at, bytes });
  }
  return joined;
}

async function copyPlainly(
  chunks: AsyncIterable<Buffer>,
  file: FileHandle,
  signal: AbortSignal | undefined,
): Promise<void> {
  let lastByte: number | undefined = lineFeed;
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    await file.writeFile(chunk);
    lastByte = chunk.at(-1);
  }
  if (lastByte !== lineFeed) await file.writeFile(lineEnd);
}

async function copyCarefully(
  chunks: AsyncIterable<Buffer>,
  file: FileHandle,
  signal: AbortSignal | undefined,
): Promise<void> {
  const cursor = new LineCursor();
  const take = (): Buffer[] => {
    if (cursor.isBlank) return [];
    const { bytes, isTooLong } = cursor.line;
    return [!isTooLong && isWhole(bytes) ? bytes : refusedLine, lineEnd];
  };
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    cursor.begin(chunk);
    const lines: Buffer[] = [];
    while (cursor.next()) lines.push(...take());
    await file.writeFile(Buffer.concat(lines));
  }
  if (cursor.finish()) await file.writeFile(Buffer.concat(take()));
}

function isWhole(bytes: Buffer): boolean {
  let end = bytes.length - 1;
  while (end > 0 && (bytes[end] ?? 0) <= 0x20) end -= 1;
  return bytes[0] === openingBrace && bytes[end] === closingBrace;
}

const chunkBytes = 512 * 1024;

/** Reads pieces, many of one file after each other. Waits for the disk: thousands of short reads are done sooner so. */
export class PieceReader {
  readonly #chunk = Buffer.allocUnsafe(chunkBytes);
  #path: string | undefined;
  #file: number | undefined;

  /**
   * The bytes of a piece; a chunk is valid until the next one is asked for.
   * @throws {LandingUnreadableError}
   */
  *read({ path, at, bytes }: PiecePlace): Generator<Buffer> {
    try {
      if (path !== this.#path) this.close();
      this.#path = path;
      this.#file ??= openSync(path, "r");
      for (let from = at; from < at + bytes; ) {
        const length = Math.min(chunkBytes, at + bytes - from);
        const bytesRead = readSync(this.#file, this.#chunk, 0, length, from);
        if (bytesRead === 0) return;
        yield this.#chunk.subarray(0, bytesRead);
        from += bytesRead;
      }
    } catch (error) {
      throw new LandingUnreadableError(path, { cause: error });
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
