import { existsSync, fdatasyncSync, writeSync } from "node:fs";
import { type FileHandle, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream";
import split2 from "split2";
import { renameDurably, syncToDisk } from "../../util/files/durable-files.ts";
import { VenueError } from "../../util/venue-error.ts";

/** The lines of a walk that is under way: `path + ".part"`, across runs, until it is over. */
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
   * Opens it where it was left; what was written after that, by a run that was killed, is cut off.
   * `undefined` when the recorded bytes are missing or damaged, as a power cut may leave them.
   */
  static async open(path: string, bytes: number): Promise<WalkFile | undefined> {
    const part = `${path}.part`;
    // Killed between the renaming and its record.
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

  /** Appends lines, which are on disk when this returns: only then may their page be recorded. */
  append(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const text = Buffer.from(`${lines.join("\n")}\n`);
    // A disk that is nearly full takes a part of it; what does not fit fails once it is asked to take the rest.
    for (let from = 0; from < text.length; ) {
      from += writeSync(this.#file.fd, text, from, text.length - from, this.bytes + from);
    }
    fdatasyncSync(this.#file.fd);
    this.bytes += text.length;
  }

  /** The lines so far. */
  async *lines(): AsyncGenerator<string> {
    if (this.bytes === 0) return;
    const options = { start: 0, end: this.bytes - 1, autoClose: false };
    // What fails is thrown to whoever reads the lines.
    yield* pipeline(this.#file.createReadStream(options), split2("\n"), () => undefined);
  }

  /** It is whole: from now on it lies at its path. @throws {VenueError} `WALK_FILE_CHANGED` when it holds other than was appended */
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
 * Returns whether the first bytes of a file are whole lines. Where a file system recorded a file's size but not its content,
 * it reads as NUL bytes, which JSON never contains.
 */
async function holdsLines(file: FileHandle, bytes: number): Promise<boolean> {
  let last: number | undefined;
  for await (const chunk of file.createReadStream({ start: 0, end: bytes - 1, autoClose: false })) {
    if (chunk.includes(0)) return false;
    last = chunk.at(-1);
  }
  return last === 0x0a;
}

/** Something else wrote to the file, or the disk lost a part of it. */
function walkFileChangedError(path: string, size: number, written: number): VenueError {
  return new VenueError(
    "WALK_FILE_CHANGED",
    "damage",
    `${path} holds ${size} bytes, but ${written} were written. Check the disk, and run this again.`,
  );
}
