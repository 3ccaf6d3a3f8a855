import type { PieceKey } from "./piece-digest.ts";

/** Whole lines of a landing. Their content decides where it is cut, so that a later load recognises it. */
export interface Piece {
  /** `PieceDigest` of its bytes. */
  digest: string;
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

/** The ledger, for those who cut. */
export interface KnownPieces {
  /** Digests are made with it. */
  key: PieceKey;
  /** How many lines each piece has, by its digest. */
  lines: ReadonlyMap<string, number>;
}
