import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { readPieces } from "../../../../src/load/history/pieces/read-pieces.ts";
import { createTempFolder } from "../../../support/temp-folder.ts";
import { musicLine } from "../../load-fixture.ts";

it("a packed landing that can't be unpacked for want of a place is not called unreadable", async () => {
  const folder = createTempFolder();
  const landing = join(folder, "sound.jsonl.gz");
  writeFileSync(landing, gzipSync(`${musicLine()}\n`));
  const options = { known: { key: Buffer.alloc(16), lines: new Map<string, number>() }, show: () => {} };

  const unpacked = await readPieces(landing, { ...options, folder });
  expect(unpacked.pieces).toMatchObject([{ at: 0, lines: 1 }]);
  await expect(readPieces(landing, { ...options, folder: join(folder, "missing") })).rejects.toMatchObject({
    name: "Error",
    code: "ENOENT",
  });
});

const options = () => ({
  known: { key: Buffer.alloc(16), lines: new Map<string, number>() },
  show: () => {},
  sizes: { leastBytes: 300, mostBytes: 4000, linesPerCut: 4 },
});
const mark = "\uFEFF";
const text = Array.from({ length: 5000 }, (_, index) => `${musicLine({ song_id: index })}\n`).join("");

it.each([
  ["with a byte order mark", `${mark}${text}`],
  ["without one", text],
  ["with two, of which one is of the first line", `${mark}${mark}${text}`],
])("a packed landing %s has the pieces of the plain one, where it is unpacked", async (_label, content) => {
  const folder = createTempFolder();
  writeFileSync(join(folder, "a.jsonl"), content);
  writeFileSync(join(folder, "a.jsonl.gz"), gzipSync(content));
  const plain = await readPieces(join(folder, "a.jsonl"), { ...options(), folder });
  const packed = await readPieces(join(folder, "a.jsonl.gz"), { ...options(), folder });
  const withoutMark = content.startsWith(mark) ? content.slice(1) : content;
  const skipped = Buffer.byteLength(content) - Buffer.byteLength(withoutMark);
  expect(readFileSync(packed.path, "utf8") === withoutMark).toBe(true);
  expect(packed.pieces.map((piece) => ({ ...piece, at: piece.at + skipped }))).toEqual(plain.pieces);
  expect(plain.path).toBe(join(folder, "a.jsonl"));
  expect(plain.pieces.length).toBeGreaterThan(5);
  expect(plain.pieces[0]?.at).toBe(skipped);
});

it("ends at once where it is told to", async () => {
  const folder = createTempFolder();
  const signal = AbortSignal.abort(new Error("stopped"));
  for (const [name, content] of [
    ["a.jsonl", text],
    ["a.jsonl.gz", gzipSync(text)],
  ] as const) {
    writeFileSync(join(folder, name), content);
    await expect(readPieces(join(folder, name), { ...options(), folder, signal })).rejects.toThrow("stopped");
  }
});

it.each(["gone.jsonl", "gone.jsonl.gz"])("says which landing can't be read (%s)", async (name) => {
  const folder = createTempFolder();
  await expect(readPieces(join(folder, name), { ...options(), folder })).rejects.toThrow(
    `${name} can't be read`,
  );
});
