import { ConfigError } from "../config/settings.ts";
import { sanitizeLines } from "../util/text/escaping.ts";
import { VenueError } from "../util/venue-error.ts";
import type { CliContext } from "./cli-context.ts";
import { exitCodes, getExitCode } from "./exit-code.ts";
import { Interruption } from "./interruption.ts";

/** Prints a failure as one message, with a stack trace only if `--debug` is set. @returns the exit code */
export function reportFailure(error: unknown, context: CliContext): number {
  const { options, isLogJson } = context;
  const known = explainFailure(error);
  const exitCode = getExitCode(known);
  const isBug = exitCode === exitCodes.bug;
  const message =
    known instanceof Error ? (isBug ? `${known.name}: ${known.message}` : known.message) : String(known);
  const lines = [
    isBug ? `this is a bug in venue-analytics: ${message}` : message,
    ...(options.debug && known instanceof Error && known.stack ? [known.stack] : []),
    ...(isBug && !options.debug ? ["Run it again with --debug to see where."] : []),
    ...(known instanceof ConfigError
      ? ["Run `venue doctor --settings` to see all settings and where they come from."]
      : []),
  ];
  const text = lines.join("\n");
  context.writeLog(
    isLogJson
      ? formatJsonError(text, exitCode)
      : `${known instanceof Interruption ? "" : "venue: "}${sanitizeLines(text)}\n`,
  );
  return exitCode;
}

/** Formats a log line for `VENUE_LOG=json`. */
export function formatJsonError(message: string, exitCode: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ time, level: "error", message, exit_code: exitCode })}\n`;
}

/**
 * Converts file system errors from Node and DuckDB, which any statement may throw, into errors that include
 * the next step. Returns all other errors unchanged.
 */
export function explainFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof VenueError) return error;
  const text = `${(error as NodeJS.ErrnoException).code ?? ""} ${error.message}`;
  const known = storageFailures.find(({ pattern }) => pattern.test(text));
  return known ? storageError(known.advice, error) : error;
}

interface StorageFailure {
  pattern: RegExp;
  advice: string;
}

const storageFailures: StorageFailure[] = [
  {
    pattern:
      /ENOSPC|EDQUOT|No space left|SQLITE_FULL|disk is full|Disk quota exceeded|max_temp_directory_size/i,
    advice:
      "The disk is full. Make room, or set VENUE_DATA_DIR to a folder on another disk, and run this again",
  },
  {
    pattern:
      /EACCES|EPERM|EROFS|EISDIR|ENOTDIR|SQLITE_READONLY|SQLITE_CANTOPEN|Permission denied|Read-only file system|attempt to write a readonly|Is a directory|Cannot open file/i,
    advice:
      "A file or folder can't be used. Check its type, owner and mode, or set VENUE_DATA_DIR to another folder",
  },
  {
    pattern: /\b(ENOENT|ESTALE)\b/,
    advice:
      "A file or folder disappeared. Check whether it was removed, or its disk unmounted, during the run; put it back, and run this again",
  },
  {
    pattern: /\bEIO\b|SQLITE_IOERR|disk I\/O error|Input\/output error|fsync failed/i,
    advice: "The disk failed to read or write. Check it, and the system's log, and run this again",
  },
  {
    pattern: /\bEFBIG\b|File too large/i,
    advice:
      "A file reached the size limit. Raise the limit (ulimit -f), or set VENUE_DATA_DIR to a file system that takes larger files, and run this again",
  },
  {
    pattern: /\bE[MN]FILE\b|Too many open files/i,
    advice: "Too many files are open. Raise the limit (ulimit -n), and run this again",
  },
  {
    pattern: /Out of Memory Error|failed to (allocate|pin)|could not allocate/i,
    advice: "DuckDB ran out of memory. Raise VENUE_MEMORY_LIMIT and run this again",
  },
];

function storageError(advice: string, cause: Error): VenueError {
  return new VenueError("STORAGE", "usage", `${advice}. (${firstLine(cause.message)})`, { cause });
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/**
 * Kills the process, because Node would exit only after its threads finish. Incomplete files keep their
 * temporary names.
 */
export function exitImmediately(error: unknown, context: CliContext): void {
  reportFailure(error, context);
  process.kill(process.pid, "SIGKILL");
}
