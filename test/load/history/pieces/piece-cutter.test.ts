import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  cutPieces,
  type KnownPieces,
  type Piece,
  PieceDigest,
  type PieceSizes,
} from "../../../../src/load/history/pieces/piece-cutter.ts";
import { readPieces } from "../../../../src/load/history/pieces/read-pieces.ts";
import { createTempFolder } from "../../../support/temp-folder.ts";
import { musicLine } from "../../load-fixture.ts";
import { Random } from "../random-lines.ts";

const small: PieceSizes = { minBytes: 300, maxBytes: 4000, linesPerCut: 4 };
const key = Buffer.alloc(16, 1);
const noneKnown: KnownPieces = { key, lines: new Map() };

/** Cuts bytes that arrive in chunks as from a disk. */
async function cut(
  content: Buffer,
  {
    sizes,
    chunkBytes = () => 1 << 20,
    known = noneKnown,
  }: {
    sizes?: PieceSizes;
    chunkBytes?: () => number;
    known?: KnownPieces;
  } = {},
): Promise<Piece[]> {
  let from = 0;
  const read = async (buffer: Buffer, offset: number) => {
    const copied = content.copy(buffer, offset, from, from + chunkBytes());
    from += copied;
    return copied;
  };
  const pieces: Piece[] = [];
  for await (const piece of cutPieces({ read, at: 0, known, sizes })) pieces.push(piece);
  return pieces;
}

/** Pieces adjoin, hold whole lines, and describe them correctly. */
function expectSound(content: Buffer, pieces: readonly Piece[]): void {
  let at = 0;
  for (const piece of pieces) {
    const bytes = content.subarray(at, at + piece.bytes);
    const isLast = at + piece.bytes === content.length;
    const text = bytes.toString("latin1");
    const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
    expect({ at: piece.at, digest: piece.digest, endsLine: isLast || text.endsWith("\n") }).toEqual({
      at,
      digest: new PieceDigest(key).update(bytes).finish(),
      endsLine: true,
    });
    expect(piece).toMatchObject({
      lines: lines.length,
      blank: lines.filter((line) => line.trim() === "").length,
    });
    // With a small window, the cutter may report shorter lines as long.
    if (lines.some((line) => line.length > 1024 * 1024)) expect(piece.hasLongLine).toBe(true);
    at += piece.bytes;
  }
  expect(at).toBe(content.length);
}

const hashesOf = (pieces: readonly Piece[]) => pieces.map(({ digest }) => digest);
const someLines = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    musicLine({ song_id: index, song_name: `Song ${index * 7919}` }),
  );
const fileOf = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(""));

describe("pieces depend only on their content", () => {
  const lines = someLines(1500);
  const long = (bytes: number) => musicLine({ song_name: "x".repeat(bytes) });
  const files: [label: string, content: Buffer][] = [
    ["lines", fileOf(lines)],
    ["no final newline", fileOf(lines).subarray(0, -1)],
    ["blank lines", fileOf(lines.flatMap((line) => [line, "", " \t\r"]))],
    ["only blank lines", Buffer.from("\n".repeat(5000))],
    ["one line", Buffer.from(musicLine())],
    ["CRLF", Buffer.from(lines.join("\r\n"))],
    [
      "lines longer than a piece",
      fileOf(lines.flatMap((line, index) => (index % 100 === 3 ? [line, long(9000)] : [line]))),
    ],
    ["a line longer than the window", fileOf([...lines, long(20_000), ...lines])],
    ["a long line at the end", Buffer.concat([fileOf(lines), Buffer.from(long(20_000))])],
    ["a long blank line", fileOf([...lines, " ".repeat(20_000), ...lines])],
    ["a long line after short ones", fileOf(["a", "", " b", "x".repeat(20_000), "", "c"])],
    ["a long blank line after short ones", fileOf(["a", "", " ".repeat(20_000), "", "c"])],
    ["a long line that starts blank", fileOf(["", `${" ".repeat(20_000)}x`, ""])],
    ["a long line that is blank after its first byte", fileOf(["", `x${" ".repeat(20_000)}`, ""])],
    ["a long blank line at the end", Buffer.from(`a\n\n${" ".repeat(20_000)}`)],
    ["exactly the buffer size", fileOf(["x".repeat(15_999)])],
    ["a byte more than the buffer size", fileOf(["x".repeat(16_000)])],
  ];

  it.each(files)("%s: for any read size", async (_label, content) => {
    const pieces = await cut(content, { sizes: small });
    expectSound(content, pieces);
    for (const [seed, most] of [
      [1, 20],
      [2, 700],
      [3, 9000],
    ] as const) {
      const random = new Random(seed);
      const chunkBytes = () => 1 + random.below(most);
      expect(await cut(content, { sizes: small, chunkBytes })).toEqual(pieces);
    }
  });

  it("another key gives other digests at the same boundaries", async () => {
    const content = fileOf(lines);
    const pieces = await cut(content, { sizes: small });
    const others = await cut(content, {
      sizes: small,
      known: { key: Buffer.alloc(16, 2), lines: new Map() },
    });
    expect(others.map(({ at }) => at)).toEqual(pieces.map(({ at }) => at));
    const digests = new Set(hashesOf(pieces));
    expect(digests.size).toBe(pieces.length);
    expect(hashesOf(others).filter((digest) => digests.has(digest))).toEqual([]);
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{32}$/);
  });

  it("the digest is GMAC", () => {
    // Test case 1 of the GCM specification: a zero key and no text.
    expect(new PieceDigest(Buffer.alloc(16)).finish()).toBe("58e2fccefa7e3061367f1d57a4e7455a");
  });

  it("an empty file has no pieces", async () => {
    expect(await cut(Buffer.alloc(0))).toEqual([]);
  });

  it.each([3, 20])("a line of %i MB ends a piece, and later pieces are as without it", async (megabytes) => {
    const many = someLines(2000);
    const [before, behind] = [many.slice(0, 1000), many.slice(1000)];
    const content = fileOf([...before, long(megabytes * 1e6), ...behind]);
    const pieces = await cut(content);
    expectSound(content, pieces);
    expect(pieces.filter(({ hasLongLine }) => hasLongLine)).toHaveLength(1);
    const behindIt = hashesOf(await cut(fileOf(behind)));
    expect(hashesOf(pieces).slice(-behindIt.length)).toEqual(behindIt);
    // As a known piece, it has the same length.
    const known = { key, lines: new Map(pieces.map((piece) => [piece.digest, piece.lines])) };
    const again = await cut(content, { known });
    expect(again).toEqual(pieces.map((piece) => ({ ...piece, blank: again[0]?.blank ?? 0, isKnown: true })));
  });

  it.each([
    [
      "an inserted line",
      (at: number) => [...lines.slice(0, at), musicLine({ song_name: "New" }), ...lines.slice(at)],
    ],
    ["a removed line", (at: number) => lines.filter((_, index) => index !== at)],
    ["a changed line", (at: number) => lines.map((line, index) => (index === at ? `${line} ` : line))],
  ])("%s changes few pieces", async (_label, change) => {
    const before = new Set(hashesOf(await cut(fileOf(lines), { sizes: small })));
    expect(before.size).toBeGreaterThan(100);
    for (const at of [0, 1, 5, 500, 1498]) {
      const after = hashesOf(await cut(fileOf(change(at)), { sizes: small }));
      expect(after.filter((digest) => !before.has(digest)).length).toBeLessThanOrEqual(3);
    }
  });

  it("usual pieces have 32 KiB to 2 MiB", async () => {
    const content = fileOf(someLines(20_000));
    const pieces = await cut(content);
    expectSound(content, pieces);
    expect(pieces.length).toBeGreaterThan(20);
    for (const { bytes } of pieces.slice(0, -1)) expect(bytes).toBeGreaterThanOrEqual(32 * 1024);
    // Identical lines never end a piece.
    const alike = await cut(fileOf(Array.from({ length: 30_000 }, () => musicLine())));
    expect(alike.length).toBeGreaterThan(2);
    for (const { bytes } of alike) expect(bytes).toBeLessThan(2 * 1024 * 1024 + 1000);
  });

  it("a byte order mark belongs to no piece", async () => {
    const folder = createTempFolder();
    const options = { known: noneKnown, show: () => {}, folder, sizes: small };
    writeFileSync(join(folder, "plain.jsonl"), fileOf(lines));
    writeFileSync(join(folder, "marked.jsonl"), Buffer.concat([Buffer.from("\uFEFF"), fileOf(lines)]));
    const plain = await readPieces(join(folder, "plain.jsonl"), options);
    const marked = await readPieces(join(folder, "marked.jsonl"), options);
    expect(hashesOf(marked.pieces)).toEqual(hashesOf(plain.pieces));
    expect(marked.pieces.map(({ at }) => at - 3)).toEqual(plain.pieces.map(({ at }) => at));
  });
});

/** Offsets at which pieces begin. */
const placesOf = async (text: string, sizes?: PieceSizes) =>
  (await cut(Buffer.from(text), sizes ? { sizes } : {})).map(({ at }) => at);
/** Ten bytes each. */
const tens = (count: number) =>
  Array.from({ length: count }, (_, index) => `${String(index).padStart(9, "0")}\n`).join("");

describe("the end of a piece", () => {
  it.each<[label: string, text: string, sizes: PieceSizes | undefined, places: number[]]>([
    [
      "short lines",
      Array.from({ length: 300 }, (_, index) => `${index * index}\n`).join(""),
      { minBytes: 20, maxBytes: 400, linesPerCut: 4 },
      [
        0, 23, 66, 86, 164, 194, 214, 259, 294, 314, 339, 364, 389, 429, 466, 490, 538, 598, 682, 724, 748,
        778, 802, 892, 934, 958, 988, 1024, 1054, 1078, 1102, 1126, 1168, 1216, 1312, 1360, 1408, 1432, 1474,
        1504, 1534, 1606, 1630,
      ],
    ],
    [
      "lines longer than the inspected bytes",
      Array.from({ length: 40 }, (_, index) => `${"é".repeat((index * 17) % 40)}${index}\n`).join(""),
      { minBytes: 60, maxBytes: 400, linesPerCut: 2 },
      [0, 362, 521, 645, 745, 821, 1065, 1241, 1333, 1406, 1545],
    ],
    [
      "usual sizes",
      Array.from({ length: 20_000 }, (_, index) => `Line ${index * 7919}\n`).join(""),
      undefined,
      [0, 34348, 68634, 101408, 142512, 178789, 212779, 246814, 280279],
    ],
  ])(
    "is the same as when the ledger was written, also after an upgrade (%s)",
    async (_label, text, sizes, places) => {
      expect(await placesOf(text, sizes)).toEqual(places);
    },
  );

  it.each([
    ["a minimum of two lines", { minBytes: 20, maxBytes: 1000, linesPerCut: 1 }, [0, 20, 40]],
    ["a minimum of two lines and a byte", { minBytes: 21, maxBytes: 1000, linesPerCut: 1 }, [0, 30]],
    ["a minimum of a line and a byte", { minBytes: 11, maxBytes: 1000, linesPerCut: 1 }, [0, 20, 40]],
    ["a maximum of two lines", { minBytes: 1, maxBytes: 20, linesPerCut: 2 ** 30 }, [0, 20, 40]],
    ["a maximum of two lines and a byte", { minBytes: 1, maxBytes: 21, linesPerCut: 2 ** 30 }, [0, 30]],
    [
      "a maximum shorter than a line",
      { minBytes: 1, maxBytes: 9, linesPerCut: 2 ** 30 },
      [0, 10, 20, 30, 40, 50],
    ],
  ])("is the end of the line in which it reaches %s", async (_label, sizes, places) => {
    expect(await placesOf(tens(6), sizes)).toEqual(places);
  });

  it.each([
    [2 ** 20, "\n", false],
    [2 ** 20, "", false],
    [2 ** 20 + 1, "\n", true],
    [2 ** 20 + 1, "", true],
  ])("follows an overlong line, which is reported (%i bytes, end %j)", async (bytes, end, isLong) => {
    const pieces = await cut(Buffer.from(`\n1\n${"x".repeat(bytes)}${end}`));
    expect(pieces).toMatchObject([{ lines: 3, blank: 1, hasLongLine: isLong }]);
    if (end === "") return;
    expect(await placesOf(`\n1\n${"x".repeat(bytes)}\n2\n3\n`)).toEqual(isLong ? [0, bytes + 4] : [0]);
  });
});

describe("a caller of the cutter", () => {
  const content = fileOf(someLines(60));
  const reading = () => {
    let from = 0;
    return async (buffer: Buffer, offset: number) => {
      const copied = content.copy(buffer, offset, from);
      from += copied;
      return copied;
    };
  };

  it("gets the bytes and line count of each piece before it is passed on, known or not", async () => {
    const [first, second] = await cut(content, { sizes: small });
    const known = { key, lines: new Map([[second?.digest ?? "", second?.lines ?? 0]]) };
    const seen: [text: string, lines: number][] = [];
    const passed: number[] = [];
    const onPiece = (bytes: Buffer, lines: number) => {
      expect(passed).toHaveLength(seen.length);
      seen.push([bytes.toString(), lines]);
    };
    for await (const piece of cutPieces({ read: reading(), at: 0, known, sizes: small, onPiece })) {
      passed.push(piece.lines);
    }
    expect(seen.map(([text]) => text).join("")).toBe(content.toString());
    for (const [text, lines] of seen) expect(text.split("\n")).toHaveLength(lines + 1);
    expect(passed).toEqual(seen.map(([, lines]) => lines));
    expect(passed.slice(0, 2)).toEqual([first?.lines, second?.lines]);
  });

  it.each([0, 1000])("may pass the number of bytes, and begins at its offset (%i)", async (at) => {
    const known = noneKnown;
    const all: Piece[] = [];
    const options = { read: reading(), at, known, sizes: { ...small, maxBytes: 40_000 } };
    for await (const piece of cutPieces({ ...options, totalBytes: content.length })) all.push(piece);
    const pieces = await cut(content, { sizes: { ...small, maxBytes: 40_000 } });
    expect(all).toEqual(pieces.map((piece) => ({ ...piece, at: piece.at + at })));
    expect(all.some(({ hasLongLine }) => hasLongLine)).toBe(false);
  });
});
