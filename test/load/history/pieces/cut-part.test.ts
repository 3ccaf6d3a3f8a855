import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { cutPacked, cutPart } from "../../../../src/load/history/pieces/cut-file.ts";
import type { Piece } from "../../../../src/load/history/pieces/piece-cutter.ts";
import { openFilesBelow } from "../../../support/open-files.ts";
import { createTempFolder } from "../../../support/temp-folder.ts";

/** Each line is a piece. */
const sizes = { minBytes: 1, maxBytes: 100, linesPerCut: 1 };
const known = { key: Buffer.alloc(16), lines: new Map<string, number>() };
/** Ten bytes each. */
const text = Array.from({ length: 3000 }, (_, index) => `${String(index).padStart(9, "0")}\n`).join("");

async function cut(from: number, to: number, isBeginning = false) {
  const path = join(createTempFolder(), "landing.jsonl");
  writeFileSync(path, text);
  const shown: number[] = [];
  const show = (line: string) => shown.push(Number(line));
  const pieces: Piece[] = [];
  for await (const piece of cutPart({ path, from, to, isBeginning }, { known, sizes, show }))
    pieces.push(piece);
  return { places: pieces.map(({ at, bytes }) => [at, bytes]), shown };
}

describe("a part of a file", () => {
  it.each([
    ["from the start", 0, 30, [0, 10, 20]],
    ["from a line on", 50, 70, [50, 60]],
    ["to the end", 29_980, 30_000, [29_980, 29_990]],
    ["without lines", 70, 70, []],
  ])("%s has only the lines between", async (_label, from, to, places) => {
    expect((await cut(from, to)).places).toEqual(places.map((at) => [at, 10]));
  });

  it("shows its first 2,000 lines if it begins the landing, else one in 500", async () => {
    expect((await cut(10_000, 20_010)).shown).toEqual([1499, 1999]);
    expect((await cut(0, 20_010, true)).shown).toEqual([...Array(2000).keys()]);
  });
});

it("drops a gzipped landing's byte order mark, and keeps later ones", async () => {
  const folder = createTempFolder();
  // Unpacked 512 KiB at a time.
  const lines = `\uFEFF${"x".repeat(2 ** 19 - 4)}\n\uFEFF2\n`;
  writeFileSync(join(folder, "landing.gz"), gzipSync(lines));
  const shown: string[] = [];
  const cutting = cutPacked(join(folder, "landing.gz"), join(folder, "unpacked"), {
    known,
    show: (line) => shown.push(line),
  });
  let bytes = 0;
  for await (const piece of cutting) bytes += piece.bytes;
  expect(bytes).toBe(Buffer.byteLength(lines) - 3);
  expect(shown.at(-1)).toBe("\uFEFF2");
});

it.each(["plain", "packed"])("a %s landing leaves nothing open, read to its end or not", async (form) => {
  const folder = createTempFolder();
  const path = join(folder, `landing${form === "packed" ? ".gz" : ""}`);
  const content = text.repeat(50);
  writeFileSync(path, form === "packed" ? gzipSync(content, { level: 0 }) : content);
  let time = 0;
  const pieces = () => {
    time += 1;
    const options = { known, show: () => {} };
    return form === "packed"
      ? cutPacked(path, join(folder, `unpacked-${time}`), options)
      : cutPart({ path, from: 0, to: content.length, isBeginning: true }, options);
  };
  for await (const _ of pieces());
  for (let again = 0; again < 3; again += 1) for await (const _ of pieces()) break;
  // Streams close their files after they have ended.
  for (let turn = 0; openFilesBelow(folder).length > 0 && turn < 100; turn += 1) await setTimeout(10);
  expect(openFilesBelow(folder)).toEqual([]);
});
