import { open } from "node:fs/promises";
import { byteOrderMark, readChunks } from "../../lines/landing-chunks.ts";
import type { CutFileOptions } from "./cut-part.ts";
import { LineSampler } from "./line-sampler.ts";
import type { Piece } from "./piece.ts";
import { cutPieces } from "./piece-cutter.ts";

/**
 * Cuts a packed landing into pieces, and writes it, unpacked and without a byte order mark, to `to`: pieces say where they
 * are there.
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
