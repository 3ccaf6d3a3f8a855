import { randomUUID } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { awaitBoth } from "../../../util/await-both.ts";
import { LandingUnreadableError } from "../../errors.ts";
import { byteOrderMark, isGzipName, lineFeed } from "../../lines/line-cursor.ts";
import {
  type Batch,
  type BatchInput,
  type CutFileOptions,
  cutPacked,
  cutPart,
  type FilePart,
} from "./cut-file.ts";
import type { Piece } from "./piece-cutter.ts";

/** Splits a large file between two threads. */
interface Halving {
  /**
   * The second half begins at the first line after a multiple of this number, so that its start rarely moves
   * while the file grows. Files shorter than twice this number are read by one thread.
   */
  bytes: number;
  /** Worker script that cuts the second half (the compiled `piece-thread.ts`). */
  thread: URL;
}

const usualHalving: Halving = {
  bytes: 64 * 1024 * 1024,
  thread: new URL("./piece-thread.js", import.meta.url),
};

export interface ReadPiecesOptions extends CutFileOptions {
  /** Folder for a decompressed landing. */
  folder: string;
  /** For tests. @default splits files of 128 MiB or more */
  halving?: Halving;
  signal?: AbortSignal | undefined;
}

/**
 * A landing's pieces in order, and the uncompressed file that contains them. No piece contains the byte order
 * mark.
 */
export interface PiecesOfFile {
  path: string;
  pieces: Piece[];
}

/**
 * Reads a landing once, in two threads if it is large, and cuts it into pieces.
 * @throws {LandingUnreadableError}
 */
export async function readPieces(
  landing: string,
  { folder, halving = usualHalving, signal, ...options }: ReadPiecesOptions,
): Promise<PiecesOfFile> {
  if (isGzipName(landing)) {
    // This is outside the `try`, because a full disk does not mean that the landing is unreadable.
    const path = join(folder, `${randomUUID()}.jsonl`);
    return { path, pieces: await collect(cutPacked(landing, path, options), signal) };
  }
  try {
    return { path: landing, pieces: await readPlain(landing, halving, options, signal) };
  } catch (error) {
    if (signal?.aborted || error instanceof LandingUnreadableError) throw error;
    throw new LandingUnreadableError(landing, { cause: error });
  }
}

async function readPlain(
  path: string,
  { bytes, thread }: Halving,
  { show, ...options }: CutFileOptions,
  signal: AbortSignal | undefined,
): Promise<Piece[]> {
  const [first, second] = await halve(path, bytes);
  const halves = await awaitBoth(
    collect(cutPart(first, { show, ...options }), signal),
    second ? cutInThread(thread, { part: second, ...options }, show, signal) : Promise.resolve([]),
  );
  return halves.flat();
}

async function collect(pieces: AsyncIterable<Piece>, signal: AbortSignal | undefined): Promise<Piece[]> {
  const collected: Piece[] = [];
  for await (const piece of pieces) {
    signal?.throwIfAborted();
    collected.push(piece);
  }
  return collected;
}

async function cutInThread(
  file: URL,
  workerData: BatchInput,
  show: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<Piece[]> {
  const thread = new Worker(file, { workerData });
  const collected: Piece[] = [];
  const stop = () => void thread.terminate();
  signal?.addEventListener("abort", stop);
  try {
    await new Promise<void>((resolve, reject) => {
      thread.on("message", ({ pieces, shown }: Batch) => {
        collected.push(...pieces);
        for (const line of shown) show(line);
      });
      thread.on("error", reject);
      thread.on("exit", () => resolve());
    });
  } finally {
    signal?.removeEventListener("abort", stop);
  }
  signal?.throwIfAborted();
  return collected;
}

/** Returns the whole file, or two parts of similar size that begin and end with whole lines. */
async function halve(path: string, halvingBytes: number): Promise<[first: FilePart, second?: FilePart]> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = await markBytes(file);
    const middle = Math.floor(size / 2 / halvingBytes) * halvingBytes;
    const to = middle > 0 ? await findLineStart(file, middle, size) : size;
    const first = { path, from, to, isBeginning: true };
    return to < size ? [first, { path, from: to, to: size, isBeginning: false }] : [first];
  } finally {
    await file.close();
  }
}

async function markBytes(file: FileHandle): Promise<number> {
  const { buffer } = await file.read(Buffer.alloc(byteOrderMark.length), 0, byteOrderMark.length, 0);
  return buffer.equals(byteOrderMark) ? byteOrderMark.length : 0;
}

/** Returns the offset of the first line that begins at or after `at`. */
async function findLineStart(file: FileHandle, at: number, size: number): Promise<number> {
  const chunk = Buffer.allocUnsafe(64 * 1024);
  for (let from = at - 1; from < size; from += chunk.length) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, from);
    const feed = chunk.subarray(0, bytesRead).indexOf(lineFeed);
    if (feed >= 0) return from + feed + 1;
  }
  return size;
}
