import { createWriteStream, type Dirent, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { makeFolder, resolveLinks } from "../../util/files/folders.ts";
import { isOtherProcessAlive } from "../../util/process-liveness.ts";
import { sanitizeLines } from "../../util/text/escaping.ts";
import { VenueError } from "../../util/venue-error.ts";
import type { FormatName } from "../formats.ts";
import type { Report } from "../result-types.ts";
import type { FormatOptions, Formatter } from "./formatter.ts";
import { gatherPieces } from "./gather-rows.ts";
import { loadFormatter } from "./load-formatter.ts";

export interface WriteReportOptions extends FormatOptions {
  format: FormatName;
  signal?: AbortSignal;
}

/** Writes a report to a stream that stays open. Ends without an error when the reader closes it (`| head`). */
export async function writeReport(
  report: Report,
  stream: Writable,
  { format, signal, ...options }: WriteReportOptions,
): Promise<void> {
  const formatReport = await loadFormatter(format);
  const ignore = () => undefined;
  // A failed write reaches its callback, and is also emitted as an event that would crash the program if
  // unhandled.
  stream.on("error", ignore);
  try {
    const pieces = formatReport(report, options);
    const shown = options.isTerminal ? showControls(pieces, format) : pieces;
    for await (const piece of gatherPieces(shown)) await writePiece(stream, piece, signal);
  } catch (error) {
    if (isReaderGone(error)) return;
    throw error;
  }
  stream.off("error", ignore);
}

/**
 * Writes a report to a file atomically, through a temporary file in the same folder: readers see either the old report
 * or the complete new one. Creates missing folders. Writes directly to anything but a regular file (`/dev/stdout`, a
 * named pipe).
 * @throws {VenueError} `OUTPUT` when the file can't be written
 */
export async function writeReportFile(
  report: Report,
  file: string,
  { format, signal, ...options }: WriteReportOptions,
): Promise<void> {
  const formatReport = await loadFormatter(format);
  await writePieces(file, () => gatherPieces(formatReport(report, options)), signal);
}

/** @throws {VenueError} `OUTPUT` when the file can't be written */
export async function writeWholeFile(
  file: string,
  content: string | Uint8Array | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const isWhole = typeof content === "string" || content instanceof Uint8Array;
  await writePieces(file, () => (isWhole ? [content] : content));
}

async function writePieces(
  file: string,
  pieces: () => AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  const write = (path: string) => pipeline(pieces(), createWriteStream(path), { ...(signal && { signal }) });
  try {
    // Replaces the target of a link, not the link.
    const target = resolveLinks(file);
    makeFolder(dirname(target));
    if (existsSync(target) && !statSync(target).isFile()) await write(target);
    else await replaceFile(target, write);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw (error as NodeJS.ErrnoException).syscall === undefined
      ? error
      : outputError(file, { cause: error });
  }
}

async function replaceFile(target: string, write: (path: string) => Promise<void>): Promise<void> {
  const temporary = `${target}.${process.pid}.part`;
  try {
    await write(temporary);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Escapes control characters, which could move the terminal's cursor or hide text in some formats. */
async function* showControls(
  pieces: ReturnType<Formatter>,
  format: FormatName,
): AsyncIterable<string | Uint8Array> {
  const show = format === "json" ? escapeControls : format === "html" ? sanitizeLines : undefined;
  for await (const piece of pieces) yield show && typeof piece === "string" ? show(piece) : piece;
}

/** Escapes control characters from U+007F on. `JSON.stringify` escapes only those below U+0020. */
function escapeControls(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function writePiece(
  stream: Writable,
  piece: string | Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort);
    stream.write(piece, (error) => {
      signal?.removeEventListener("abort", onAbort);
      if (error) reject(error);
      else resolve();
    });
  });
}

function isReaderGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}

/**
 * Removes files that killed processes left in a folder and its subfolders: reports and links are first
 * written under names that end with the process id and a suffix. Skips what this user may not read or
 * remove. Call it before this process writes any, because in a container a killed process may have had the
 * same id.
 * @returns the paths removed
 */
export function removePartialFiles(folder: string): string[] {
  return listEntries(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    // `latest` is a link, so it is not a directory here and is not followed.
    if (entry.isDirectory()) return removePartialFiles(path);
    const pid = /\.(\d+)\.(part|new)$/.exec(entry.name)?.[1];
    return pid !== undefined && !isOtherProcessAlive(Number(pid)) && tryRemove(path) ? [path] : [];
  });
}

function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function tryRemove(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EISDIR: "it is a folder",
  ENOTDIR: "part of the path is a file",
  EEXIST: "part of the path is a file",
  ENOENT: "the folder can't be created",
  ENAMETOOLONG: "the name is too long",
};

/** @param options its `cause` is the system's error */
function outputError(file: string, options: { cause: unknown }): VenueError {
  const { code = "", message } = options.cause as NodeJS.ErrnoException;
  return new VenueError(
    "OUTPUT",
    "usage",
    `${file} can't be written: ${reasons[code] ?? message}. Choose another file with --out.`,
    options,
  );
}
