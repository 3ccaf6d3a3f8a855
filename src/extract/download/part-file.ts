import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { type Readable, Transform } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { isGzip } from "../../util/files/file-content.ts";

/** How a body that was appended related to what was there. */
type Appended =
  /** It began with what was known, and is written to its end. */
  | "appended"
  /** It ended before all that was known had come. */
  | "short"
  /** It began with something else: nothing was written. */
  | "different";

interface AppendOptions {
  /** Told of bytes that are new. */
  onBytes(count: number): void;
  signal: AbortSignal;
}

/** What has come of a download so far, on disk. */
export class PartFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async size(): Promise<number> {
    return (await stat(this.path).catch(() => undefined))?.size ?? 0;
  }

  /** Without blank lines, where there is nothing else. */
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
   * Appends a body that begins with the last `overlap` bytes of what is here, less these. What came before a break
   * is written.
   * @throws what the body broke with
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
    // A pipeline would end at once where the body breaks, with what it holds unwritten.
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

/** More than the longest line that a load takes. */
const tailBytes = 2 * 1024 * 1024;

/** Whether a JSON Lines file ends as a whole one does: empty, or with a last line that is one JSON object. */
export async function endsWithWholeLine(path: string): Promise<boolean> {
  const last = await lastLine(path);
  if (last === undefined) return true;
  try {
    const value: unknown = JSON.parse(last);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Bytes of a file. Blank lines alone are as little as no byte. */
export async function contentBytes(path: string): Promise<number> {
  const { size } = await stat(path);
  return size <= tailBytes && (await lastLine(path)) === undefined ? 0 : size;
}

/** Blank lines at the end aside; `undefined` when there is nothing else. Of a very long one, its end. */
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

/** More than are given to one link: the service does write broken lines, but a cut is likelier. */
const answersForBrokenEnd = 5;

/**
 * What answers have said about where a file ends, for a server that does not say by Range that nothing comes after.
 * One answer alone may be cut, with a length that was made up from what was left: it takes two that agree.
 */
export class EndEvidence {
  #size: number | undefined;
  /** Answers that announced this very length. */
  #stated = 0;
  /** Answers that announced none, and ended here. */
  #unstated = 0;

  /** An answer puts the end at `size`; what spoke for another one is void. */
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
   * Whether the file at `path` ends where it does for sure. One that ends within a line takes many answers that announce
   * its length; one without any content, of which nothing was announced, takes a third: failing servers send nothing.
   */
  async isEnough(path: string): Promise<boolean> {
    if (!(await isEndOfLine(path))) return this.#stated >= answersForBrokenEnd;
    return this.#stated >= 2 || this.#stated + this.#unstated >= (this.#size === 0 ? 3 : 2);
  }
}

/** What gzip holds is not lines yet; its checksum tells whether it is whole. */
async function isEndOfLine(path: string): Promise<boolean> {
  return (await isGzip(path)) || (await endsWithWholeLine(path));
}
