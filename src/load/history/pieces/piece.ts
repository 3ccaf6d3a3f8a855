/** Whole lines of a landing. Their content decides where it is cut, so that a later load recognises it. */
export interface Piece {
  /** Of its bytes, as hexadecimal digits. */
  sha256: string;
  /** Where it begins in the file, in bytes. */
  at: number;
  bytes: number;
  lines: number;
  /** Lines of white space alone; 0 of a known piece, of which the ledger knows. */
  blank: number;
  /** A line is longer than can be left to DuckDB. */
  hasLongLine: boolean;
  /** The ledger has it. */
  isKnown: boolean;
}

/** How many lines each piece of the ledger has, by its `sha256`. */
export type KnownPieces = ReadonlyMap<string, number>;
