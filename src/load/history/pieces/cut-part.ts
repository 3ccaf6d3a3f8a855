import { open } from "node:fs/promises";
import { LineSampler } from "./line-sampler.ts";
import type { KnownPieces, Piece } from "./piece.ts";
import { cutPieces, usualWindowBytes } from "./piece-cutter.ts";

/** A part of a plain file, from a line's start to a line's end. */
export interface FilePart {
  path: string;
  from: number;
  /** Exclusive. */
  to: number;
  /** The landing begins here. */
  isBeginning: boolean;
}

/** Cuts a part of a file into pieces; some of its lines are shown. */
export async function* cutPart(
  { path, from, to, isBeginning }: FilePart,
  known: KnownPieces,
  show: (line: string) => void,
): AsyncGenerator<Piece> {
  const file = await open(path);
  try {
    let at = from;
    const read = async (buffer: Buffer, offset: number) => {
      const length = Math.min(buffer.length - offset, to - at);
      const { bytesRead } = length > 0 ? await file.read(buffer, offset, length, at) : { bytesRead: 0 };
      at += bytesRead;
      return bytesRead;
    };
    // A byte more than there is shows where it ends.
    const windowBytes = Math.min(usualWindowBytes, to - from + 1);
    yield* cutPieces({
      read,
      at: from,
      known,
      windowBytes,
      onPiece: new LineSampler(show, isBeginning).pass,
    });
  } finally {
    await file.close();
  }
}
