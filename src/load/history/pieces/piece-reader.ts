import { type FileHandle, open } from "node:fs/promises";
import { LandingUnreadableError } from "../../landing-unreadable-error.ts";
import type { PiecePlace } from "./copy-pieces.ts";

const chunkBytes = 512 * 1024;

/** Reads pieces, many of one file after each other. */
export class PieceReader {
  readonly #chunk = Buffer.allocUnsafe(chunkBytes);
  #path: string | undefined;
  #file: FileHandle | undefined;

  /**
   * The bytes of a piece; a chunk is valid until the next one is asked for.
   * @throws {LandingUnreadableError}
   */
  async *read({ path, at, bytes }: PiecePlace): AsyncGenerator<Buffer> {
    try {
      if (path !== this.#path) await this.close();
      this.#path = path;
      this.#file ??= await open(path);
      for (let from = at; from < at + bytes; ) {
        const length = Math.min(chunkBytes, at + bytes - from);
        const { bytesRead } = await this.#file.read(this.#chunk, 0, length, from);
        if (bytesRead === 0) return;
        yield this.#chunk.subarray(0, bytesRead);
        from += bytesRead;
      }
    } catch (error) {
      throw new LandingUnreadableError(path, { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }
}
