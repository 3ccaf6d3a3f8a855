import { type FileHandle, open } from "node:fs/promises";
import { readChunks } from "../../lines/landing-chunks.ts";
import { LineCursor, lineEnd, lineFeed } from "../../lines/line-cursor.ts";

const refusedLine = Buffer.from("null");
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Where a piece is. */
export interface PiecePlace {
  path: string;
  at: number;
  bytes: number;
}

export interface CopyOptions {
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
