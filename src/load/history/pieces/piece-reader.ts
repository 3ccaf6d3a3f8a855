import { closeSync, openSync, readSync } from "node:fs";
import { LandingUnreadableError } from "../../landing-unreadable-error.ts";
import type { PiecePlace } from "./copy-pieces.ts";

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
