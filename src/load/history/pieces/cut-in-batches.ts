import { type CutFileOptions, cutPart, type FilePart } from "./cut-part.ts";
import type { Piece } from "./piece.ts";

export interface BatchInput extends Omit<CutFileOptions, "show"> {
  part: FilePart;
}

export interface Batch {
  pieces: Piece[];
  /** Lines that were shown. */
  shown: string[];
}

const batchPieces = 1000;

/** Cuts a part of a file into pieces, and passes them on in batches: threads tell each other little often. */
export async function cutInBatches(
  { part, ...options }: BatchInput,
  pass: (batch: Batch) => void,
): Promise<void> {
  let batch: Batch = { pieces: [], shown: [] };
  const show = (line: string) => batch.shown.push(line);
  for await (const piece of cutPart(part, { ...options, show })) {
    batch.pieces.push(piece);
    if (batch.pieces.length < batchPieces) continue;
    pass(batch);
    batch = { pieces: [], shown: [] };
  }
  pass(batch);
}
