import { getEventListeners } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Piece } from "../../../../src/load/history/pieces/piece-cutter.ts";
import { readPieces } from "../../../../src/load/history/pieces/read-pieces.ts";
import { openFilesBelow } from "../../../support/open-files.ts";
import { createTempFolder } from "../../../support/temp-folder.ts";
import { musicLine } from "../../load-fixture.ts";

it("a gzipped landing without room to unpack it is not reported as unreadable", async () => {
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
  sizes: { minBytes: 300, maxBytes: 4000, linesPerCut: 4 },
});
const mark = "\uFEFF";
const text = Array.from({ length: 5000 }, (_, index) => `${musicLine({ song_id: index })}\n`).join("");

it.each([
  ["with a byte order mark", `${mark}${text}`],
  ["without one", text],
  ["with two, one of them in the first line", `${mark}${mark}${text}`],
])("a gzipped landing %s has the pieces of the plain one in its unpacked file", async (_label, content) => {
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

it("stops at once on request", async () => {
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

it.each(["gone.jsonl", "gone.jsonl.gz"])("names the unreadable landing (%s)", async (name) => {
  const folder = createTempFolder();
  await expect(readPieces(join(folder, name), { ...options(), folder })).rejects.toThrow(
    `${name} can't be read`,
  );
});

it("a landing leaves no file open", async () => {
  const folder = createTempFolder();
  writeFileSync(join(folder, "a.jsonl"), text);
  for (let time = 0; time < 3; time += 1) await readPieces(join(folder, "a.jsonl"), { ...options(), folder });
  expect(openFilesBelow(folder)).toEqual([]);
});

describe("a file read by two threads", () => {
  const thread = new URL("../../../../dist/load/history/pieces/piece-thread.js", import.meta.url);

  /** Pieces and shown lines of a file that is halved at multiples of `halvingBytes`. */
  async function read(
    content: string | Buffer,
    halvingBytes: number,
    {
      signal,
      known = options().known,
      file = thread,
      show = () => {},
    }: {
      signal?: AbortSignal;
      known?: ReturnType<typeof options>["known"];
      file?: URL;
      show?: (line: string) => void;
    } = {},
  ) {
    const folder = createTempFolder();
    const path = join(folder, "large.jsonl");
    writeFileSync(path, content);
    const shown: string[] = [];
    const { pieces } = await readPieces(path, {
      known,
      folder,
      halving: { bytes: halvingBytes, thread: file },
      show: (line) => {
        shown.push(line);
        show(line);
      },
      signal,
    });
    return { pieces, shown, startsOfLines: pieces.every(({ at }) => at === 0 || content[at - 1] === "\n") };
  }

  const beginnings = (pieces: readonly Piece[]) => pieces.map(({ at }) => at);
  const digests = (pieces: readonly Piece[]) => pieces.map(({ digest }) => digest);
  const sum = (pieces: readonly Piece[], count: (piece: Piece) => number) =>
    pieces.reduce((total, piece) => total + count(piece), 0);
  /** Ten bytes each. */
  const tens = (count: number) =>
    Array.from({ length: count }, (_, index) => `${String(index).padStart(9, "0")}\n`).join("");

  it("has whole lines in both halves, each line once, in order", async () => {
    const { pieces, startsOfLines } = await read(text, 300_000);
    expect(startsOfLines).toBe(true);
    let at = 0;
    for (const piece of pieces) {
      expect(piece.at).toBe(at);
      at += piece.bytes;
    }
    expect(at).toBe(text.length);
    expect(sum(pieces, ({ lines }) => lines)).toBe(5000);
  });

  it("is sampled in both halves: the first 2,000 lines of one, and one in 500 of the other", async () => {
    const { shown } = await read(tens(4000), 20_000);
    const numbers = shown.map(Number).sort((left, right) => left - right);
    expect(numbers).toEqual([...Array.from({ length: 2000 }, (_, index) => index), 2499, 2999, 3499, 3999]);
  });

  it.each<[label: string, content: string, halvingBytes: number, second: number | undefined]>([
    ["is too short", tens(39), 200, undefined],
    ["is just long enough", tens(40), 200, 200],
    ["has its middle within a line", tens(40), 195, 200],
    ["has its middle after the first byte of a line", tens(40), 191, 200],
    ["has its middle after a line", tens(40), 190, 190],
    ["is long enough for three", tens(61), 200, 200],
    ["is long enough for four", tens(80), 200, 400],
    ["has a byte order mark", `${mark}${tens(40)}`, 200, 203],
    ["has a long line in the middle", `${tens(1)}${"x".repeat(99_999)}\n${tens(2)}`, 50_000, 100_010],
    ["has a longer line in the middle", `${tens(1)}${"x".repeat(199_999)}\n${tens(2)}`, 50_000, 200_010],
    ["ends with a long line", `${tens(1)}${"x".repeat(99_999)}\n`, 50_000, undefined],
    ["ends with an unterminated long line", `${tens(1)}${"x".repeat(99_999)}`, 50_000, undefined],
  ])(
    "one that %s is split at the start of a line after a multiple",
    async (_label, content, bytes, second) => {
      const { pieces, shown } = await read(content, bytes);
      const bytesOfMark = content.startsWith(mark) ? 3 : 0;
      const first = Buffer.from(content).subarray(bytesOfMark, second).toString();
      // One line in 500 of the second half is shown.
      expect(shown).toEqual(first.trimEnd().split("\n"));
      expect(beginnings(pieces)).toEqual(second === undefined ? [bytesOfMark] : [bytesOfMark, second]);
      expect(sum(pieces, (piece) => piece.lines)).toBe(content.trimEnd().split("\n").length);
      expect(sum(pieces, (piece) => piece.bytes)).toBe(Buffer.byteLength(content) - bytesOfMark);
    },
  );

  it("is split in the same place while it grows, so both threads recognise its pieces", async () => {
    const before = await read(text, 400_000);
    const known = {
      ...options().known,
      lines: new Map(before.pieces.map((piece) => [piece.digest, piece.lines])),
    };
    const { pieces } = await read(text + tens(100), 400_000, { known });
    const same = before.pieces.length - 1;
    expect(digests(pieces).slice(0, same)).toEqual(digests(before.pieces).slice(0, same));
    expect(pieces.slice(0, same).every(({ isKnown }) => isKnown)).toBe(true);
    expect(pieces.at(-1)?.isKnown).toBe(false);
  });

  it("is unreadable if the second thread fails", async () => {
    const file = new URL("data:text/javascript,throw new Error('the thread broke')");
    await expect(read(text, 300_000, { file })).rejects.toMatchObject({
      code: "LANDING_UNREADABLE",
      cause: { message: "the thread broke" },
    });
  });

  it("stops both threads at once on request", async () => {
    const controller = new AbortController();
    // Runs until it is ended.
    const file = new URL("data:text/javascript,setInterval(() => {}, 1000)");
    const ended = read(text, 300_000, {
      file,
      signal: controller.signal,
      show: () => controller.abort(new Error("stopped")),
    });
    await expect(ended).rejects.toThrow(/^stopped$/);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it("is not reported as complete if only the second thread was stopped", async () => {
    const controller = new AbortController();
    const show = (line: string) => {
      if (line === "000003999") controller.abort(new Error("stopped"));
    };
    await expect(read(tens(4000), 20_000, { signal: controller.signal, show })).rejects.toThrow(/^stopped$/);
  });

  it("leaves no listener on a shared signal", async () => {
    const { signal } = new AbortController();
    await read(text, 300_000, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
