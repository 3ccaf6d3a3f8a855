import { existsSync, fdatasyncSync } from "node:fs";
import { type FileHandle, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream";
import split2 from "split2";
import { renameDurably, syncToDisk, writeFully } from "../../util/files/durable-files.ts";
import { VenueError } from "../../util/venue-error.ts";

/** File with the lines of a walk. Its name is `path + ".part"` until the walk ends, even across runs. */
export class WalkFile {
  readonly #path: string;
  readonly #file: FileHandle;
  bytes: number;

  private constructor(path: string, file: FileHandle, bytes: number) {
    this.#path = path;
    this.#file = file;
    this.bytes = bytes;
  }

  /**
   * Opens the file and truncates it to its recorded size. This discards lines that a killed run wrote but did
   * not record. Returns `undefined` if recorded bytes are missing or damaged, for example after a power
   * failure.
   */
  static async open(path: string, bytes: number): Promise<WalkFile | undefined> {
    const part = `${path}.part`;
    // An earlier run was killed after renaming the file, but before recording the landing.
    if (!existsSync(part) && existsSync(path)) await rename(path, part);
    const size = (await stat(part).catch(() => undefined))?.size ?? 0;
    if (size < bytes) return undefined;
    const file = await open(part, size === 0 ? "w+" : "r+");
    if (bytes > 0 && !(await holdsLines(file, bytes))) {
      await file.close();
      return undefined;
    }
    if (size > bytes) await file.truncate(bytes);
    syncToDisk(dirname(part));
    return new WalkFile(path, file, bytes);
  }

  /** Appends lines and syncs them to disk. Their page may be recorded only after this. */
  append(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const text = Buffer.from(`${lines.join("\n")}\n`);
    writeFully(this.#file.fd, text, this.bytes);
    fdatasyncSync(this.#file.fd);
    this.bytes += text.length;
  }

  async *lines(): AsyncGenerator<string> {
    if (this.bytes === 0) return;
    const options = { start: 0, end: this.bytes - 1, autoClose: false };
    // The callback ignores errors, because the reader of the lines receives them anyway.
    yield* pipeline(this.#file.createReadStream(options), split2("\n"), () => undefined);
  }

  /** Moves the complete file to its path. @throws {VenueError} `WALK_FILE_CHANGED` if its size is wrong */
  async finish(): Promise<void> {
    await this.#file.sync();
    const { size } = await this.#file.stat();
    if (size !== this.bytes) throw walkFileChangedError(`${this.#path}.part`, size, this.bytes);
    await this.close();
    renameDurably(`${this.#path}.part`, this.#path);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/**
 * Returns true if the first `bytes` bytes are complete lines without NUL bytes, which JSON never contains.
 * Content lost by the file system reads as NUL bytes.
 */
async function holdsLines(file: FileHandle, bytes: number): Promise<boolean> {
  let last: number | undefined;
  for await (const chunk of file.createReadStream({ start: 0, end: bytes - 1, autoClose: false })) {
    if (chunk.includes(0)) return false;
    last = chunk.at(-1);
  }
  return last === 0x0a;
}

/** Either another process wrote to the file, or the disk lost part of it. */
function walkFileChangedError(path: string, size: number, written: number): VenueError {
  return new VenueError(
    "WALK_FILE_CHANGED",
    "damage",
    `${path} has ${size} bytes, but ${written} were written. Check the disk, and run this again.`,
  );
}
