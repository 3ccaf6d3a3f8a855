import { type CipherGCM, createCipheriv } from "node:crypto";

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

/** The warehouse's own random key (`core.piece_key`), 16 bytes. */
type PieceKey = Uint8Array;

/** Each message has the same: the digests are shown to nobody who could make use of it. */
const nonce = new Uint8Array(12);

/**
 * Digest of a piece: the authentication tag of AES-128-GCM (GMAC, NIST SP 800-38D), of 128 bits. Processors compute it
 * three to five times as fast as SHA-256, and without the key nobody can write two pieces that have the same.
 */
export class PieceDigest {
  readonly #cipher: CipherGCM;

  constructor(key: PieceKey) {
    this.#cipher = createCipheriv("aes-128-gcm", key, nonce);
  }

  update(bytes: Buffer): this {
    this.#cipher.setAAD(bytes);
    return this;
  }

  /** As hexadecimal digits. */
  finish(): string {
    this.#cipher.final();
    return this.#cipher.getAuthTag().toString("hex");
  }
}
