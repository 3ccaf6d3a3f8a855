import type { LineCounts } from "./count-lines.ts";
import type { LookOptions } from "./look-at-lines.ts";
import type { UnknownFields } from "./unknown-fields.ts";

/** A landing whose lines are to be taken into core. */
export interface LandingToTake extends LookOptions {
  /** DuckDB reads a copy, without what its reader can't pass. */
  isCopy: boolean;
}

/** What became of a landing's lines: `lines` is the sum of the others. */
export interface LinesTaken {
  lines: number;
  blank: number;
  rejected: number;
  newPlays: number;
  changed: number;
  unchanged: number;
  duplicate: number;
  /** Core had nothing of the landing's zones, so nothing can have vanished. */
  isNewToCore: boolean;
  unknownFields: UnknownFields;
}

/** DuckDB's reader can't be used on the file as it is. */
export class ReaderFailure extends Error {
  override readonly name = "ReaderFailure";
}

/**
 * Compares the lines of a landing with those that DuckDB read.
 * @throws {ReaderFailure} when the two differ
 */
export function checkRows(
  { lines, blank, hasLongLine }: LineCounts,
  rows: number,
  landing: LandingToTake,
): void {
  if (hasLongLine && !landing.isCopy)
    throw new ReaderFailure(`a line of ${landing.path} is too long for DuckDB`);
  if (lines - blank !== rows) {
    throw new ReaderFailure(`DuckDB read ${rows} of the ${lines - blank} lines of ${landing.path}`);
  }
}
