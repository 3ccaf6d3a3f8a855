import { open } from "node:fs/promises";
import { byteOrderMark, readChunks } from "../../lines/line-cursor.ts";
import { cutPieces, type KnownPieces, LineSampler, type Piece, type PieceSizes } from "./piece-cutter.ts";

/** A part of an uncompressed file that consists of whole lines. */
export interface FilePart {
  path: string;
  from: number;
  /** End offset, exclusive. */
  to: number;
  isBeginning: boolean;
}

export interface CutFileOptions {
  known: KnownPieces;
  /** Called with a sample of the lines. */
  show: (line: string) => void;
  /** For tests. */
  sizes?: PieceSizes | undefined;
}

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

/**
 * Cuts a gzipped landing into pieces, and writes it to `to` decompressed and without a byte order mark. The
 * pieces refer to offsets in `to`.
 * @throws {LandingUnreadableError}
 */
export async function* cutPacked(
  from: string,
  to: string,
  { known, show, sizes }: CutFileOptions,
): AsyncGenerator<Piece> {
  const file = await open(to, "wx");
  const chunks = readChunks(from);
  try {
    let rest: Buffer = Buffer.alloc(0);
    let isBeginning = true;
    const read = async (buffer: Buffer, offset: number) => {
      while (rest.length === 0) {
        const { value, done } = await chunks.next();
        if (done) return 0;
        rest =
          isBeginning && value.subarray(0, byteOrderMark.length).equals(byteOrderMark)
            ? value.subarray(byteOrderMark.length)
            : value;
        isBeginning = false;
        await file.writeFile(rest);
      }
      const taken = rest.copy(buffer, offset);
      rest = rest.subarray(taken);
      return taken;
    };
    yield* cutPieces({ read, at: 0, known, sizes, onPiece: new LineSampler(show, true).pass });
  } finally {
    await chunks.return(undefined);
    await file.close();
  }
}

export interface BatchInput extends Omit<CutFileOptions, "show"> {
  part: FilePart;
}

export interface Batch {
  pieces: Piece[];
  /** Sampled lines. */
  shown: string[];
}

const batchPieces = 1000;

/** Cuts a part of a file into pieces. Passes them on in batches, so that threads exchange few messages. */
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
