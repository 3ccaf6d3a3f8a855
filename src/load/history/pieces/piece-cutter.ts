import { createHash, type Hash } from "node:crypto";
import { isBlank, maxLineBytes } from "../../lines/line-cursor.ts";
import type { KnownPieces, Piece } from "./piece.ts";

/** A piece is this long at least, unless its file ends. */
const leastBytes = 32 * 1024;
/** It ends with the line in which it gets so long. */
const mostBytes = 2 * 1024 * 1024;
/** Of the lines between, one in so many ends a piece: 64 KiB is usual. A power of two. */
const linesPerCut = 128;
/** Of each line so many bytes say whether it ends a piece, spread over its length. */
const sampledBytes = 32;

/** So much of a file is held at a time: some of the longest pieces. */
export const usualWindowBytes = 4 * mostBytes;

const lineFeed = 10;

/** Fills a buffer from `offset` on. @returns how many bytes there were: 0 at the end */
type ReadInto = (buffer: Buffer, offset: number) => Promise<number>;

export interface CutOptions {
  read: ReadInto;
  /** Where the first byte that is read stands in the file. */
  at: number;
  known: KnownPieces;
  /** Called with the bytes of a piece before it is passed on; `lines`: how many they hold. `bytes` are valid until it returns. */
  onPiece?: ((bytes: Buffer, lines: number) => void) | undefined;
  /** How much is held at a time: over 3 MiB, or more than there is. @default 8 MiB */
  windowBytes?: number;
}

/**
 * Cuts lines into pieces. A piece's own content decides where it ends, so a change elsewhere does not move its end: after
 * 32 KiB at the first line whose bytes say so, after 2 MiB at the latest, and behind a line too long to be loaded.
 * Takes constant memory, however long a line is.
 */
export async function* cutPieces({
  read,
  at,
  known,
  onPiece,
  windowBytes = usualWindowBytes,
}: CutOptions): AsyncGenerator<Piece> {
  const window = Buffer.allocUnsafe(windowBytes);
  let [from, filled] = [0, 0];
  for (;;) {
    if (from > 0) window.copyWithin(0, from, filled);
    filled -= from;
    from = 0;
    const added = filled < window.length ? await read(window, filled) : 0;
    const isWindowFull = added === 0 && filled === window.length;
    filled += added;
    const held = window.subarray(0, filled);
    for (let end = findEnd(held, from); end > 0; end = findEnd(held, from)) {
      yield makePiece(held.subarray(from, end), at, known, onPiece);
      at += end - from;
      from = end;
    }
    if (isWindowFull) {
      // No line ends in the window: of one so long nothing is kept.
      const long = new LongPiece(held.subarray(from), at);
      from = filled = 0;
      let rest: number | undefined;
      while (rest === undefined) {
        filled = await read(window, 0);
        rest = filled === 0 ? 0 : long.takeUpToItsEnd(window.subarray(0, filled));
      }
      from = rest;
      const piece = long.finish(known);
      at += piece.bytes;
      yield piece;
    } else if (added === 0) {
      if (from < filled) yield makePiece(held.subarray(from), at, known, onPiece);
      return;
    }
  }
}

/** Where the piece ends that begins at `from`, behind a line feed; 0 where its end is not held yet. */
function findEnd(held: Buffer, from: number): number {
  let end = held.indexOf(lineFeed, from + leastBytes - 1);
  let start = end < 0 ? -1 : held.lastIndexOf(lineFeed, end - 1) + 1;
  if (start < from) start = from;
  while (end >= 0) {
    const isLong = end - start > maxLineBytes;
    if (isLong || end + 1 - from >= mostBytes || endsPiece(held, start, end)) return end + 1;
    start = end + 1;
    end = held.indexOf(lineFeed, start);
  }
  return 0;
}

/** FNV-1a over bytes of the line, mixed once more: too few of its bytes decide its lowest bits. */
function endsPiece(held: Buffer, start: number, end: number): boolean {
  const step = Math.max(1, Math.floor((end - start) / sampledBytes));
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index += step) {
    hash = Math.imul(hash ^ (held[index] ?? 0), 0x01000193);
  }
  hash ^= hash >>> 15;
  return ((hash ^ (hash >>> 7)) & (linesPerCut - 1)) === 0;
}

function makePiece(bytes: Buffer, at: number, known: KnownPieces, onPiece: CutOptions["onPiece"]): Piece {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const knownLines = known.get(sha256);
  const counts =
    knownLines === undefined ? countLines(bytes) : { lines: knownLines, blank: 0, hasLongLine: false };
  onPiece?.(bytes, counts.lines);
  return { sha256, at, bytes: bytes.length, ...counts, isKnown: knownLines !== undefined };
}

function countLines(bytes: Buffer): Pick<Piece, "lines" | "blank" | "hasLongLine"> {
  let [lines, blank, hasLongLine] = [0, 0, false];
  for (let start = 0; start < bytes.length; ) {
    let end = bytes.indexOf(lineFeed, start);
    if (end < 0) end = bytes.length;
    lines += 1;
    if (isBlank(bytes, start, end)) blank += 1;
    if (end - start > maxLineBytes) hasLongLine = true;
    start = end + 1;
  }
  return { lines, blank, hasLongLine };
}

/** A piece whose last line is longer than the window. */
class LongPiece {
  readonly #hash: Hash = createHash("sha256");
  readonly #at: number;
  readonly #counts: Pick<Piece, "lines" | "blank">;
  #bytes = 0;
  #isBlank: boolean;

  constructor(beginning: Buffer, at: number) {
    this.#at = at;
    this.#take(beginning);
    const lastLine = beginning.lastIndexOf(lineFeed) + 1;
    const { lines, blank } = countLines(beginning.subarray(0, lastLine));
    this.#counts = { lines: lines + 1, blank };
    this.#isBlank = isBlank(beginning, lastLine);
  }

  /** @returns where its end is in the chunk, behind the line feed; `undefined` where it goes on */
  takeUpToItsEnd(chunk: Buffer): number | undefined {
    const end = chunk.indexOf(lineFeed);
    const line = end < 0 ? chunk : chunk.subarray(0, end);
    this.#isBlank &&= isBlank(line);
    this.#take(end < 0 ? chunk : chunk.subarray(0, end + 1));
    return end < 0 ? undefined : end + 1;
  }

  finish(known: KnownPieces): Piece {
    const sha256 = this.#hash.digest("hex");
    const { lines, blank } = this.#counts;
    return {
      sha256,
      at: this.#at,
      bytes: this.#bytes,
      lines,
      blank: blank + (this.#isBlank ? 1 : 0),
      hasLongLine: true,
      isKnown: known.has(sha256),
    };
  }

  #take(bytes: Buffer): void {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }
}
