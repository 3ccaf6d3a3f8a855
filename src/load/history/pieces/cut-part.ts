import { open } from "node:fs/promises";
import { LineSampler } from "./line-sampler.ts";
import type { KnownPieces, Piece } from "./piece.ts";
import { cutPieces, type PieceSizes } from "./piece-cutter.ts";

/** A part of a plain file, from a line's start to a line's end. */
export interface FilePart {
  path: string;
  from: number;
  /** Exclusive. */
  to: number;
  /** The landing begins here. */
  isBeginning: boolean;
}

export interface CutFileOptions {
  known: KnownPieces;
  /** Called with some of the lines. */
  show: (line: string) => void;
  /** For tests. */
  sizes?: PieceSizes | undefined;
}

/** Cuts a part of a file into pieces. */
export async function* cutPart(
  { path, from, to, isBeginning }: FilePart,
  { known, show, sizes }: CutFileOptions,
): AsyncGenerator<Piece> {
  const file = await open(path);
  try {
    let at = from;
    const read = async (buffer: Buffer, offset: number) => {
      const length = Math.min(buffer.length - offset, to - at);
      const { bytesRead } = await file.read(buffer, offset, length, at);
      at += bytesRead;
      return bytesRead;
    };
    const { pass } = new LineSampler(show, isBeginning);
    yield* cutPieces({ read, at: from, totalBytes: to - from, known, sizes, onPiece: pass });
  } finally {
    await file.close();
  }
}
