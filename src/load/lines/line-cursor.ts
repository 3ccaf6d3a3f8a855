import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { LandingUnreadableError } from "../errors.ts";

/** Maximum line length in bytes, without the line feed. Longer lines are rejected without being parsed. */
export const maxLineBytes = 1024 * 1024;
/**
 * Lines over the maximum are truncated to this many bytes, which is enough for the excerpt shown in a reject.
 */
const keptBytes = 4096;

export const lineFeed = 10;
export const lineEnd = Buffer.from([lineFeed]);

export interface LandingLine {
  /** Line number in the input, from 1; blank lines count. */
  lineNumber: number;
  /** The line without its line feed, or only its beginning if it is too long. Valid until the next chunk. */
  bytes: Buffer;
  isTooLong: boolean;
}

/**
 * Iterates over the lines of a file that arrives in chunks, in constant memory regardless of line length. Skipping a
 * line allocates nothing, which matters because millions of lines are skipped.
 */
export class LineCursor {
  /** Number of the current line, from 1. */
  lineNumber: number;
  #chunk: Buffer = Buffer.alloc(0);
  /** Start of the next line in the chunk. */
  #next = 0;
  /** Buffer with the current line: the chunk itself, or a copy if the line began in an earlier chunk. */
  #buffer: Buffer = this.#chunk;
  #from = 0;
  #to = 0;
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #length = 0;
  /** True if the part of the current line in earlier chunks is blank. */
  #isBegunBlank = true;
  #isBlank: boolean | undefined;

  /** @param linesBefore number of lines before the first chunk */
  constructor(linesBefore = 0) {
    this.lineNumber = linesBefore;
  }

  begin(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#next = 0;
  }

  /**
   * Moves to the next line that ends in this chunk. If there is none, keeps the rest of the chunk and returns
   * false.
   */
  next(): boolean {
    const end = this.#chunk.indexOf(lineFeed, this.#next);
    if (end < 0) {
      this.#keep(this.#chunk.subarray(this.#next));
      return false;
    }
    this.#moveTo(end);
    return true;
  }

  /** Called after the last chunk. Moves to the last line if it has no line feed; otherwise returns false. */
  finish(): boolean {
    if (this.#begunBytes === 0) return false;
    this.begin(Buffer.alloc(0));
    this.#moveTo(0);
    return true;
  }

  /** Length of the current line in bytes, without its line feed. */
  get length(): number {
    return this.#length;
  }

  get isTooLong(): boolean {
    return this.#length > maxLineBytes;
  }

  get isBlank(): boolean {
    return this.#isBlank ?? isBlank(this.#buffer, this.#from, this.#to);
  }

  /** True if the line begins and ends like a JSON object. */
  get isObject(): boolean {
    let [from, last] = [this.#from, this.#to - 1];
    while (isSpace(this.#buffer[from])) from += 1;
    while (isSpace(this.#buffer[last])) last -= 1;
    return this.#buffer[from] === openingBrace && this.#buffer[last] === closingBrace;
  }

  get line(): LandingLine {
    const bytes = this.#buffer.subarray(this.#from, this.#to);
    const { lineNumber, isTooLong } = this;
    return { lineNumber, bytes: isTooLong ? bytes.subarray(0, keptBytes) : bytes, isTooLong };
  }

  #moveTo(end: number): void {
    this.#length = this.#begunBytes + end - this.#next;
    this.#isBlank = undefined;
    if (this.#begunBytes > 0) {
      this.#isBlank = this.#isBegunBlank && isBlank(this.#chunk, this.#next, end);
      this.#isBegunBlank = true;
      this.#buffer = Buffer.concat([...this.#begun, this.#chunk.subarray(this.#next, end)]);
      this.#from = 0;
      this.#to = this.#buffer.length;
      this.#begun = [];
      this.#begunBytes = 0;
    } else {
      this.#buffer = this.#chunk;
      this.#from = this.#next;
      this.#to = end;
    }
    this.#next = end + 1;
    this.lineNumber += 1;
  }

  #keep(rest: Buffer): void {
    // Discards the rest of a line that is already too long.
    if (this.#begunBytes <= maxLineBytes && rest.length > 0) this.#begun.push(Buffer.from(rest));
    this.#begunBytes += rest.length;
    this.#isBegunBlank &&= isBlank(rest);
  }
}

const openingBrace = 0x7b;
const closingBrace = 0x7d;

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/**
 * Returns true for bytes that DuckDB skips as blank: spaces, tabs, line ends, vertical tabs and form feeds.
 */
function isBlank(bytes: Buffer, from = 0, to = bytes.length): boolean {
  for (let index = from; index < to; index += 1) {
    const byte = bytes[index];
    if (byte !== 0x20 && !(byte !== undefined && byte >= 0x09 && byte <= 0x0d)) return false;
  }
  return true;
}

/** UTF-8 byte order mark. It may precede the first line of a landing. */
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Returns the first bytes of a landing without a byte order mark. */
export function skipByteOrderMark(bytes: Buffer): Buffer {
  const isMarked = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  return isMarked ? bytes.subarray(byteOrderMark.length) : bytes;
}

const defaultChunkBytes = 512 * 1024;

/** Returns true for the name of a gzipped file. Like DuckDB, checks only the name. */
export function isGzipName(path: string): boolean {
  return path.endsWith(".gz");
}

export interface ReadOptions {
  /** Offset of the first byte to read; ignored for gzipped landings. @default 0 */
  from?: number;
  /** Offset after the last byte to read; ignored for gzipped landings. @default end of the file */
  to?: number;
  /** @default 512 KiB */
  chunkBytes?: number;
}

/**
 * Yields the decompressed bytes of a landing in chunks. A chunk is valid until the next one is requested.
 * @throws {LandingUnreadableError}
 */
export async function* readChunks(path: string, options: ReadOptions = {}): AsyncGenerator<Buffer> {
  try {
    yield* isGzipName(path) ? readUnpacked(path) : readPlain(path, options);
  } catch (error) {
    throw new LandingUnreadableError(path, { cause: error });
  }
}

async function* readPlain(
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

async function* readUnpacked(path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: defaultChunkBytes });
  const source = createReadStream(path).on("error", (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip);
    // zlib stops at a zero byte between or after gzip members without reporting an error.
    if (gunzip.bytesWritten < source.bytesRead)
      throw Object.assign(new Error("other bytes follow its gzip data"), { code: "Z_BYTES_AFTER" });
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}
