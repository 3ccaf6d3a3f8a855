import type { LineLook, LookOptions } from "./look-at-lines.ts";

/** What became of a landing's lines: `lines` is the sum of the others. */
export interface LinesTaken {
  lines: number;
  blank: number;
  rejected: number;
  newPlays: number;
  changed: number;
  unchanged: number;
  duplicate: number;
}

/** DuckDB's reader can't be used on the file as it is. */
export class ReaderFailure extends Error {
  override readonly name = "ReaderFailure";
}

/**
 * Compares what JavaScript saw of a landing with the lines that DuckDB read.
 * @throws {ReaderFailure} when the two differ
 */
export function checkLook({ lines, blank, hasLongLine }: LineLook, rows: number, options: LookOptions): void {
  if (hasLongLine && !options.isCopy)
    throw new ReaderFailure(`a line of ${options.path} is too long for DuckDB`);
  if (lines - blank !== rows) {
    throw new ReaderFailure(`DuckDB read ${rows} of the ${lines - blank} lines of ${options.path}`);
  }
}
