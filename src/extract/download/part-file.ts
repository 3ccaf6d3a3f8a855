import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { type Readable, Transform } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { contentBytes } from "./file-end.ts";

/** How a body that was appended related to what was there. */
export type Appended =
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
