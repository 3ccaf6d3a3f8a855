import { expect, it } from "vitest";
import { LineSampler } from "../../../../src/load/history/pieces/piece-cutter.ts";

/** Numbers of the lines shown among `lines`, in pieces of `perPiece`. */
function sampleLines(lines: number, perPiece: number, isBeginning: boolean): number[] {
  const shown: string[] = [];
  const { pass } = new LineSampler((line) => shown.push(line), isBeginning);
  for (let first = 1; first <= lines; first += perPiece) {
    const piece = Array.from({ length: Math.min(perPiece, lines - first + 1) }, (_, index) => first + index);
    // The last line of a file may have no end.
    const end = first + perPiece > lines ? "" : "\n";
    pass(Buffer.from(piece.join("\n") + end), piece.length);
  }
  return shown.map(Number);
}

const numbers = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

it.each([1, 7, 210, 500, 1999, 2000, 5000])(
  "samples the first 2,000 lines, and then one in 500 (pieces of %i)",
  (perPiece) => {
    expect(sampleLines(4321, perPiece, true)).toEqual([...numbers(1, 2000), 2500, 3000, 3500, 4000]);
  },
);

it.each([1, 210, 499, 500, 3000])("samples one in 500 of a file's second half (pieces of %i)", (perPiece) => {
  expect(sampleLines(2600, perPiece, false)).toEqual(numbers(500, 2500, 500));
});

it("samples each line of a short file", () => {
  expect(sampleLines(3, 2, true)).toEqual([1, 2, 3]);
  expect(sampleLines(2000, 2000, true)).toEqual(numbers(1, 2000));
});
