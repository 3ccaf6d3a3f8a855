import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { type Readable, Transform } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { isGzip } from "../../util/files/file-content.ts";

/** Relation of an appended body to the part. */
type Appended =
  /** It began with the known bytes, and was written to its end. */
  | "appended"
  /** It ended within the known bytes. */
  | "short"
  /** It began with other bytes: nothing was written. */
  | "different";

interface AppendOptions {
  /** Called with the number of new bytes. */
  onBytes(count: number): void;
  signal: AbortSignal;
}

/** The bytes of a download received so far, on disk. */
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
   * Appends a body without its first `overlap` bytes, which repeat the end of the part. If the body breaks,
   * the bytes received before are written.
   * @throws the error that broke the body
   */
  async append(body: Readable, overlap: number, { onBytes, signal }: AppendOptions): Promise<Appended> {
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
    // A pipeline would end at once when the body breaks, and lose its buffered bytes.
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

/** Exceeds the longest line that a load accepts. */
const tailBytes = 2 * 1024 * 1024;

/** Returns true if a JSON Lines file looks whole: it is empty, or its last line is a JSON object. */
export async function hasCompleteLastLine(path: string): Promise<boolean> {
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

/** Returns the last line that is not blank, or the end of a very long one; `undefined` if there is none. */
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

/** More than one link gets: services do write broken lines, but a cut is more likely. */
const responsesForBrokenEnd = 5;

/**
 * Evidence of a file's length from whole responses, for a server that cannot prove the end by Range. A single
 * response may be cut and announce only the length of the rest, so it takes two that agree.
 */
export class EndEvidence {
  #size: number | undefined;
  /** Responses that announced this length. */
  #stated = 0;
  /** Responses that announced no length and ended here. */
  #unstated = 0;

  /** Adds a response of this length. Evidence of another length is dropped. */
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
   * Returns true if the evidence proves the end of the file. A file that ends within a line takes several
   * announced lengths; an empty one without an announced length takes three, because failing servers send
   * nothing.
   */
  async isEnough(path: string): Promise<boolean> {
    if (!(await isEndOfLine(path))) return this.#stated >= responsesForBrokenEnd;
    return this.#stated >= 2 || this.#stated + this.#unstated >= (this.#size === 0 ? 3 : 2);
  }
}

/** A gzip file has no lines yet; its checksum proves that it is whole. */
async function isEndOfLine(path: string): Promise<boolean> {
  return (await isGzip(path)) || (await hasCompleteLastLine(path));
}
