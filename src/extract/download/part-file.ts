import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { type Readable, Transform } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { isGzip } from "../../util/files/file-content.ts";

/** Result of appending a response body to the part. */
type AppendResult =
  /** The body began with the expected bytes, and the rest was written. */
  | "appended"
  /** The body ended within the expected bytes. */
  | "short"
  /** The body began with other bytes, so nothing was written. */
  | "different";

interface AppendOptions {
  /** Called with the number of new bytes. */
  onBytes(count: number): void;
  signal: AbortSignal;
}

/** The bytes of a download received so far, as a file. */
export class PartFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async size(): Promise<number> {
    return (await stat(this.path).catch(() => undefined))?.size ?? 0;
  }

  /** Returns 0 for a file with only blank lines. */
  async contentBytes(): Promise<number> {
    return (await this.size()) === 0 ? 0 : await contentBytes(this.path);
  }

  async clear(): Promise<void> {
    await rm(this.path, { force: true });
  }

  async moveTo(path: string): Promise<void> {
    const file = await open(this.path, "a");
    await file.sync().finally(() => file.close());
    await rename(this.path, path);
  }

  /**
   * Appends a body without its first `overlap` bytes, which must repeat the end of the part. If the body ends
   * early, the bytes received so far are still written.
   * @throws the error that ended the body
   */
  async append(body: Readable, overlap: number, { onBytes, signal }: AppendOptions): Promise<AppendResult> {
    const known = await this.#last(overlap);
    let checked = 0;
    let isSame = true;
    const skip = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const expected = known.subarray(checked, checked + chunk.length);
        isSame &&= chunk.subarray(0, expected.length).equals(expected);
        checked += expected.length;
        if (!isSame) return done(new Error("another file"));
        const fresh = chunk.subarray(expected.length);
        onBytes(fresh.length);
        done(null, fresh);
      },
    });
    // The body is not part of the pipeline. Otherwise, an error in the body would end the pipeline at once, and
    // buffered bytes would be lost.
    const broken = finished(body, { writable: false }).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    void broken.then(() => skip.end());
    body.pipe(skip, { end: false });
    try {
      await pipeline(skip, createWriteStream(this.path, { flags: "a" }), { signal });
    } catch (error) {
      if (!isSame) return "different";
      throw error;
    } finally {
      body.destroy();
    }
    const breakage = await broken;
    if (breakage) throw breakage.error;
    return checked < known.length ? "short" : "appended";
  }

  async #last(length: number): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0);
    const file = await open(this.path, "r");
    try {
      const { size } = await file.stat();
      return (await file.read(Buffer.alloc(length), 0, length, size - length)).buffer;
    } finally {
      await file.close();
    }
  }
}

/** Longer than the longest line that a load accepts. */
const tailBytes = 2 * 1024 * 1024;

/** Returns true if a JSON Lines file looks complete: it is empty, or its last line is a JSON object. */
async function hasCompleteLastLine(path: string): Promise<boolean> {
  const last = await lastLine(path);
  if (last === undefined) return true;
  try {
    const value: unknown = JSON.parse(last);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Returns the size of a file in bytes; 0 if it has only blank lines. */
export async function contentBytes(path: string): Promise<number> {
  const { size } = await stat(path);
  return size <= tailBytes && (await lastLine(path)) === undefined ? 0 : size;
}

/** Returns the last non-blank line, or the end of a very long one; `undefined` if all lines are blank. */
export async function lastLine(path: string): Promise<string | undefined> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const length = Math.min(size, tailBytes);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const text = buffer.toString("utf8").trimEnd();
    return text === "" ? undefined : text.slice(text.lastIndexOf("\n") + 1);
  } finally {
    await file.close();
  }
}

/**
 * Number of agreeing responses required if the file ends in a broken line. Higher than the number of attempts
 * per link, because a truncated response is more likely than a broken line in the file itself.
 */
const responsesForBrokenEnd = 5;

/**
 * Evidence of a file's length, for servers that cannot prove the end of a file with a Range response. A
 * response may be truncated and announce the truncated length, so at least two responses must agree.
 */
export class EndEvidence {
  #size: number | undefined;
  /** Number of responses that announced this length. */
  #stated = 0;
  /** Number of responses that announced no length and ended at this length. */
  #unstated = 0;

  /** Adds a response of this length. Discards evidence of any other length. */
  add(size: number, isStated: boolean): void {
    if (size !== this.#size) this.clear();
    this.#size = size;
    if (isStated) this.#stated += 1;
    else this.#unstated += 1;
  }

  clear(): void {
    this.#size = undefined;
    this.#stated = 0;
    this.#unstated = 0;
  }

  get isEmpty(): boolean {
    return this.#size === undefined;
  }

  /**
   * Returns true if the evidence proves the end of the file. A file that ends within a line requires several
   * announced lengths. An empty file without an announced length requires three responses, because failing
   * servers also send nothing.
   */
  async isEnough(path: string): Promise<boolean> {
    if (!(await isEndOfLine(path))) return this.#stated >= responsesForBrokenEnd;
    return this.#stated >= 2 || this.#stated + this.#unstated >= (this.#size === 0 ? 3 : 2);
  }
}

/** Returns true for gzip files too, because their checksum is verified later. */
async function isEndOfLine(path: string): Promise<boolean> {
  return (await isGzip(path)) || (await hasCompleteLastLine(path));
}
