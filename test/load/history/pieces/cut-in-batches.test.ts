import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Batch, cutInBatches, cutPart } from "../../../../src/load/history/pieces/cut-file.ts";
import { createTempFolder } from "../../../support/temp-folder.ts";

const known = { key: Buffer.alloc(16), lines: new Map<string, number>() };
/** Each line is a piece. */
const sizes = { minBytes: 1, maxBytes: 10, linesPerCut: 1 };

/** Batches of a file of numbered lines. */
async function batchesOf(lines: number): Promise<{ batches: Batch[]; path: string }> {
  const path = join(createTempFolder(), "numbers");
  const text = Array.from({ length: lines }, (_, index) => `${index + 1}\n`).join("");
  writeFileSync(path, text);
  const batches: Batch[] = [];
  const part = { path, from: 0, to: text.length, isBeginning: true };
  await cutInBatches({ part, known, sizes }, (batch) => batches.push(batch));
  return { batches, path };
}

it.each([
  [0, [0]],
  [999, [999]],
  [1000, [1000, 0]],
  [2500, [1000, 1000, 500]],
])("%i pieces come in batches of 1,000, each with its sampled lines", async (lines, expected) => {
  const { batches } = await batchesOf(lines);
  expect(batches.map(({ pieces }) => pieces.length)).toEqual(expected);
  const shown = batches.map((batch) => batch.shown.map(Number));
  const pieces = batches.map((batch) => batch.pieces.map((piece) => piece.at));
  // After the first 2,000 lines, one in 500 is shown.
  expect(shown.map(({ length }) => length)).toEqual(expected.map((count) => (count === 500 ? 1 : count)));
  expect(pieces.flat()).toHaveLength(lines);
  expect(shown.flat()).toEqual([
    ...Array.from({ length: Math.min(lines, 2000) }, (_, index) => index + 1),
    ...(lines === 2500 ? [2500] : []),
  ]);
});

it("batches have the pieces of the part in order", async () => {
  const { batches, path } = await batchesOf(1500);
  const pieces = [];
  const part = { path, from: 0, to: 6393, isBeginning: false };
  for await (const piece of cutPart(part, { known, sizes, show: () => {} })) pieces.push(piece);
  expect(batches.flatMap((batch) => batch.pieces)).toEqual(pieces);
});
