import { createReadStream, createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { findGzipEnd } from "../../util/files/gzip-end.ts";
import { LandingUnreadableError } from "../errors.ts";
import { isGzipName, readChunks, skipByteOrderMark } from "../lines/line-cursor.ts";
import { withTemporaryFolder } from "../temporary-folder.ts";
import { isJsonDocument } from "./file-format.ts";
import { JsonRecords } from "./json-records.ts";

const headBytes = 64 * 1024;

export interface HistoryFileOptions {
  /** File name shown in notes. */
  name: string;
  folder: string;
  signal: AbortSignal;
  /** Called after `body` with a note on each part of the file that was ignored or is missing. */
  onNote: (note: string) => void;
}

/**
 * Passes `body` the path of a JSON Lines file with the content of a history file: the file itself if it is
 * JSON Lines, otherwise a temporary file. Other JSON is converted to JSON Lines, and bytes after the gzip
 * data are dropped.
 */
export async function withHistoryLines<Result>(
  path: string,
  options: HistoryFileOptions,
  body: (path: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await withJsonLines(path, options, body);
  } catch (error) {
    const end = isGzipName(path) && isGzipFailure(error) ? await findGzipEnd(path) : undefined;
    if (end === undefined) throw error;
    const { name, folder, signal, onNote } = options;
    const rest = (await stat(path)).size - end;
    return await withTemporaryFolder(folder, "load", async (own) => {
      const copy = join(own, "packed.jsonl.gz");
      await pipeline(createReadStream(path, { end: end - 1 }), createWriteStream(copy), { signal });
      const result = await withJsonLines(copy, options, body);
      onNote(`${name} has ${rest} bytes after its gzip data. They were ignored.`);
      return result;
    });
  }
}

/** Returns the first bytes of a file, decompressed. If the gzip data is broken, returns fewer bytes or none. */
export async function readHead(path: string): Promise<Buffer> {
  const head: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of readChunks(path, { to: headBytes })) {
      head.push(Buffer.from(chunk.subarray(0, headBytes)));
      bytes += chunk.length;
      if (bytes >= headBytes) break;
    }
  } catch (error) {
    if (!isGzipFailure(error)) throw error;
  }
  return Buffer.concat(head);
}

async function withJsonLines<Result>(
  path: string,
  { name, folder, signal, onNote }: HistoryFileOptions,
  body: (path: string) => Promise<Result>,
): Promise<Result> {
  if (!isJsonDocument(await readHead(path))) return await body(path);
  return await withTemporaryFolder(folder, "load", async (own) => {
    const lines = join(own, "records.jsonl");
    const isIncomplete = await writeRecords(path, lines, signal);
    const result = await body(lines);
    if (isIncomplete) onNote(`${name} ends in the middle of a JSON value; it may be truncated.`);
    return result;
  });
}

/** @returns true if the JSON is truncated */
async function writeRecords(from: string, to: string, signal: AbortSignal): Promise<boolean> {
  const records = new JsonRecords();
  const file = await open(to, "wx");
  try {
    let isBeginning = true;
    for await (const chunk of readChunks(from)) {
      signal.throwIfAborted();
      await file.writeFile(records.split(isBeginning ? skipByteOrderMark(chunk) : chunk));
      isBeginning = false;
    }
    await file.writeFile(records.finish());
  } finally {
    await file.close();
  }
  return records.isIncomplete;
}

function isGzipFailure(error: unknown): boolean {
  if (!(error instanceof LandingUnreadableError)) return false;
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return code?.startsWith("Z_") === true;
}
