import { closeSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { LandingUnreadableError } from "../../errors.ts";
import { LineCursor, lineEnd, lineFeed, readChunks } from "../../lines/line-cursor.ts";

const refusedLine = Buffer.from("null");
const openingBrace = 0x7b;
const closingBrace = 0x7d;

interface PiecePlace {
  path: string;
  at: number;
  bytes: number;
}

interface CopyOptions {
  /**
   * If true, replaces lines that make DuckDB's reader reject the whole file: objects that span lines, and
   * very long lines. Each line that is not one whole object becomes `null`. A `null` line is rejected just as
   * the original would be, so line numbers stay the same.
   */
  isCareful: boolean;
  signal?: AbortSignal | undefined;
}

/** Concatenates pieces into a new file. @throws {LandingUnreadableError} */
export async function copyPieces(
  pieces: readonly PiecePlace[],
  to: string,
  { isCareful, signal }: CopyOptions,
): Promise<void> {
  const file = await open(to, "wx");
  try {
    for (const { path, at, bytes } of joinNeighbours(pieces)) {
      const chunks = readChunks(path, { from: at, to: at + bytes });
      await (isCareful ? copySanitized(chunks, file, signal) : copyVerbatim(chunks, file, signal));
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

async function copyVerbatim(
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

async function copySanitized(
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

/**
 * Reads pieces and keeps their file open. Reads synchronously, which is faster for thousands of short reads.
 */
export class PieceReader {
  readonly #chunk = Buffer.allocUnsafe(chunkBytes);
  #path: string | undefined;
  #file: number | undefined;

  /**
   * Yields the bytes of a piece in chunks. A chunk is valid until the next one is requested.
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
