import { type CipherGCM, createCipheriv } from "node:crypto";
import { isBlank, lineFeed, maxLineBytes } from "../../lines/line-cursor.ts";

/** Limits on piece lengths. A load does not recognise pieces that were cut with other limits. */
export interface PieceSizes {
  /** Minimum length of a piece, except at the end of its file. */
  minBytes: number;
  /** A piece ends with the line in which it reaches this length. */
  maxBytes: number;
  /** Between the two limits, about one line in this many ends a piece. Must be a power of two. */
  linesPerCut: number;
}

/** These limits give pieces of about 64 KiB. */
const usualSizes: PieceSizes = { minBytes: 32 * 1024, maxBytes: 2 * 1024 * 1024, linesPerCut: 128 };
/** Number of bytes, spread over a line, that decide whether the line ends a piece. */
const sampledBytes = 32;

/** Reads into a buffer from `offset`. @returns the number of bytes read; 0 at the end of the input */
type ReadInto = (buffer: Buffer, offset: number) => Promise<number>;

interface CutOptions {
  read: ReadInto;
  /** File offset of the first byte to read. */
  at: number;
  known: KnownPieces;
  /**
   * Called with each piece's bytes and line count before the piece is yielded. The bytes are valid until it
   * returns.
   */
  onPiece?: ((bytes: Buffer, lines: number) => void) | undefined;
  /** For tests. @default about 64 KiB */
  sizes?: PieceSizes | undefined;
  /** Total number of bytes, if known, to allocate a smaller buffer. */
  totalBytes?: number;
}

/**
 * Cuts lines into pieces. Where a piece ends depends only on its own content, so a change elsewhere does not
 * move its end. Past 32 KiB, a piece ends at the first line whose hash marks an end, and at the latest when
 * it reaches 2 MiB or after a line that is too long to be loaded. Takes constant memory, however long a line
 * is.
 */
export async function* cutPieces({
  read,
  at,
  known,
  onPiece,
  sizes = usualSizes,
  totalBytes = Number.POSITIVE_INFINITY,
}: CutOptions): AsyncGenerator<Piece> {
  // The buffer has one spare byte, so that it is not full when the input ends.
  const window = Buffer.allocUnsafe(Math.min(4 * sizes.maxBytes, totalBytes + 1));
  let [from, filled] = [0, 0];
  for (;;) {
    if (from > 0) window.copyWithin(0, from, filled);
    filled -= from;
    from = 0;
    const added = filled < window.length ? await read(window, filled) : 0;
    const isWindowFull = added === 0 && filled === window.length;
    filled += added;
    const held = window.subarray(0, filled);
    for (let end = findEnd(held, from, sizes); end > 0; end = findEnd(held, from, sizes)) {
      yield makePiece(held.subarray(from, end), at, known, onPiece);
      at += end - from;
      from = end;
    }
    if (isWindowFull) {
      const { piece, ...rest } = await readLongPiece(window, { read, at, known });
      ({ from, filled } = rest);
      at += piece.bytes;
      yield piece;
    } else if (added === 0) {
      if (from < filled) yield makePiece(held.subarray(from), at, known, onPiece);
      return;
    }
  }
}

/** Returns the end of the piece that begins at `from`, or 0 if that end is not in the buffer yet. */
function findEnd(held: Buffer, from: number, { minBytes, maxBytes, linesPerCut }: PieceSizes): number {
  let end = held.indexOf(lineFeed, from + minBytes - 1);
  let start = end < 0 ? -1 : held.lastIndexOf(lineFeed, end - 1) + 1;
  if (start < from) start = from;
  while (end >= 0) {
    const isLong = end - start > maxLineBytes;
    if (isLong || end + 1 - from >= maxBytes || endsPiece(held, start, end, linesPerCut)) return end + 1;
    start = end + 1;
    end = held.indexOf(lineFeed, start);
  }
  return 0;
}

/**
 * Hashes sampled bytes of the line with FNV-1a. Mixes the hash at the end, because otherwise too few bytes
 * would affect its lowest bits.
 */
function endsPiece(held: Buffer, start: number, end: number, linesPerCut: number): boolean {
  const step = Math.max(1, Math.floor((end - start) / sampledBytes));
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index += step) {
    hash = Math.imul(hash ^ (held[index] ?? 0), 0x01000193);
  }
  hash ^= hash >>> 15;
  return ((hash ^ (hash >>> 7)) & (linesPerCut - 1)) === 0;
}

function makePiece(bytes: Buffer, at: number, known: KnownPieces, onPiece: CutOptions["onPiece"]): Piece {
  const digest = new PieceDigest(known.key).update(bytes).finish();
  const knownLines = known.lines.get(digest);
  const counts = knownLines === undefined ? countLines(bytes) : { lines: knownLines, blank: 0 };
  onPiece?.(bytes, counts.lines);
  return {
    digest,
    at,
    bytes: bytes.length,
    ...counts,
    hasLongLine: endsInLongLine(bytes),
    isKnown: knownLines !== undefined,
  };
}

/** Checks only the last line, because a line that is too long always ends its piece. */
function endsInLongLine(bytes: Buffer): boolean {
  const end = bytes.at(-1) === lineFeed ? bytes.length - 1 : bytes.length;
  return end - (bytes.subarray(0, end).lastIndexOf(lineFeed) + 1) > maxLineBytes;
}

function countLines(bytes: Buffer): Pick<Piece, "lines" | "blank"> {
  let [lines, blank] = [0, 0];
  for (let start = 0; start < bytes.length; ) {
    let end = bytes.indexOf(lineFeed, start);
    if (end < 0) end = bytes.length;
    lines += 1;
    if (isBlank(bytes, start, end)) blank += 1;
    start = end + 1;
  }
  return { lines, blank };
}

/**
 * Reads to the end of a piece that does not fit into the window, without keeping its bytes.
 * @returns the piece, and the range of the window that holds the bytes after it
 */
async function readLongPiece(
  window: Buffer,
  { read, at, known }: CutOptions,
): Promise<{ piece: Piece; from: number; filled: number }> {
  const digest = new PieceDigest(known.key).update(window);
  const lastLine = window.lastIndexOf(lineFeed) + 1;
  const { lines, blank } = countLines(window.subarray(0, lastLine));
  let isLastBlank = isBlank(window, lastLine);
  let bytes = window.length;
  for (;;) {
    const filled = await read(window, 0);
    const feed = window.subarray(0, filled).indexOf(lineFeed);
    const from = feed < 0 ? filled : feed + 1;
    digest.update(window.subarray(0, from));
    isLastBlank &&= isBlank(window, 0, from);
    bytes += from;
    if (feed < 0 && filled > 0) continue;
    const counts = { lines: lines + 1, blank: blank + (isLastBlank ? 1 : 0) };
    const tag = digest.finish();
    const piece = { digest: tag, at, bytes, ...counts, hasLongLine: true, isKnown: known.lines.has(tag) };
    return { piece, from, filled };
  }
}

const linesShownFirst = 2000;
const linesPerSample = 500;

/** Samples lines piece by piece: the first 2,000 lines of a landing, then one line in 500. */
export class LineSampler {
  readonly #show: (line: string) => void;
  #lines: number;

  /** @param isBeginning true if the first of these lines is the landing's first line */
  constructor(show: (line: string) => void, isBeginning: boolean) {
    this.#show = show;
    this.#lines = isBeginning ? 0 : linesShownFirst;
  }

  readonly pass = (bytes: Buffer, lines: number): void => {
    const first = this.#lines;
    this.#lines += lines;
    const samplesBefore = Math.floor(first / linesPerSample);
    if (first >= linesShownFirst && Math.floor(this.#lines / linesPerSample) === samplesBefore) return;
    let start = 0;
    for (let number = first + 1; number <= this.#lines; number += 1) {
      const feed = bytes.indexOf(lineFeed, start);
      const end = feed < 0 ? bytes.length : feed;
      if (number <= linesShownFirst || number % linesPerSample === 0)
        this.#show(bytes.toString("utf8", start, end));
      start = end + 1;
    }
  };
}

/**
 * A run of whole lines in a landing. Its content decides where it ends, so that a later load recognises it.
 */
export interface Piece {
  /** `PieceDigest` of the bytes. */
  digest: string;
  /** Offset in the file, in bytes. */
  at: number;
  bytes: number;
  lines: number;
  /** Number of lines with only white space. It is 0 for a known piece, because the ledger has that count. */
  blank: number;
  /** True if a line is too long for DuckDB. */
  hasLongLine: boolean;
  isKnown: boolean;
}

/** The part of the ledger that cutting needs. */
export interface KnownPieces {
  key: PieceKey;
  /** Line count of each known piece, by digest. */
  lines: ReadonlyMap<string, number>;
}

/** The warehouse's random key (`core.piece_key`), which has 16 bytes. */
type PieceKey = Uint8Array;

/** The nonce may be constant, because digests are never shown to anyone who could exploit that. */
const nonce = new Uint8Array(12);

/**
 * Digest of a piece: the 128-bit authentication tag of AES-128-GCM (GMAC, NIST SP 800-38D). Processors
 * compute it three to five times as fast as SHA-256, and two pieces with the same digest cannot be written
 * without the key.
 */
export class PieceDigest {
  readonly #cipher: CipherGCM;

  constructor(key: PieceKey) {
    this.#cipher = createCipheriv("aes-128-gcm", key, nonce);
  }

  update(bytes: Buffer): this {
    this.#cipher.setAAD(bytes);
    return this;
  }

  /** Returns hexadecimal digits. */
  finish(): string {
    this.#cipher.final();
    return this.#cipher.getAuthTag().toString("hex");
  }
}
