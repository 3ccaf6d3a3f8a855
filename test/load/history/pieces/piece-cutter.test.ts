import { createWriteStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { KnownPieces, Piece } from "../../../../src/load/history/pieces/piece.ts";
import { cutPieces, type PieceSizes } from "../../../../src/load/history/pieces/piece-cutter.ts";
import { PieceDigest } from "../../../../src/load/history/pieces/piece-digest.ts";
import { readPieces } from "../../../../src/load/history/pieces/read-pieces.ts";
import { itInAll } from "../../../support/long-suite.ts";
import { startVenue } from "../../../support/run-venue.ts";
import { createTempFolder } from "../../../support/temp-folder.ts";
import { createLoadFixture, musicLine } from "../../load-fixture.ts";
import { Random } from "../random-lines.ts";

const small: PieceSizes = { leastBytes: 300, mostBytes: 4000, linesPerCut: 4 };
const key = Buffer.alloc(16, 1);
const noneKnown: KnownPieces = { key, lines: new Map() };

/** Cuts bytes that come as a disk may give them. */
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

/** Each piece begins where the one before ended, has whole lines, and says of them what is so. */
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
    // Shorter ones may be said to be long where the cutter's window is small.
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

describe("pieces hang on what they hold alone", () => {
  const lines = someLines(1500);
  const long = (bytes: number) => musicLine({ song_name: "x".repeat(bytes) });
  const files: [label: string, content: Buffer][] = [
    ["lines", fileOf(lines)],
    ["no final newline", fileOf(lines).subarray(0, -1)],
    ["blank lines", fileOf(lines.flatMap((line) => [line, "", " \t\r"]))],
    ["blank lines alone", Buffer.from("\n".repeat(5000))],
    ["one line", Buffer.from(musicLine())],
    ["CRLF", Buffer.from(lines.join("\r\n"))],
    [
      "lines longer than a piece",
      fileOf(lines.flatMap((line, index) => (index % 100 === 3 ? [line, long(9000)] : [line]))),
    ],
    ["a line longer than the window", fileOf([...lines, long(20_000), ...lines])],
    ["a long line at the end", Buffer.concat([fileOf(lines), Buffer.from(long(20_000))])],
    ["a long blank line", fileOf([...lines, " ".repeat(20_000), ...lines])],
  ];

  it.each(files)("%s: whatever the reads", async (_label, content) => {
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

  it("another key gives others, that end in the same places", async () => {
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
    // Test case 1 of the specification of GCM: a key of zeros, and no text.
    expect(new PieceDigest(Buffer.alloc(16)).finish()).toBe("58e2fccefa7e3061367f1d57a4e7455a");
  });

  it("an empty file has none", async () => {
    expect(await cut(Buffer.alloc(0))).toEqual([]);
  });

  it.each([3, 20])(
    "a line of %i MB ends a piece, and those behind it are as without it",
    async (megabytes) => {
      const many = someLines(2000);
      const [before, behind] = [many.slice(0, 1000), many.slice(1000)];
      const content = fileOf([...before, long(megabytes * 1e6), ...behind]);
      const pieces = await cut(content);
      expectSound(content, pieces);
      expect(pieces.filter(({ hasLongLine }) => hasLongLine)).toHaveLength(1);
      const behindIt = hashesOf(await cut(fileOf(behind)));
      expect(hashesOf(pieces).slice(-behindIt.length)).toEqual(behindIt);
      // Known, it is as long as before.
      const known = { key, lines: new Map(pieces.map((piece) => [piece.digest, piece.lines])) };
      const again = await cut(content, { known });
      expect(again).toEqual(
        pieces.map((piece) => ({ ...piece, blank: again[0]?.blank ?? 0, isKnown: true })),
      );
    },
  );

  it.each([
    [
      "a line that comes in",
      (at: number) => [...lines.slice(0, at), musicLine({ song_name: "New" }), ...lines.slice(at)],
    ],
    ["a line that goes", (at: number) => lines.filter((_, index) => index !== at)],
    ["a line that changes", (at: number) => lines.map((line, index) => (index === at ? `${line} ` : line))],
  ])("%s changes few pieces", async (_label, change) => {
    const before = new Set(hashesOf(await cut(fileOf(lines), { sizes: small })));
    expect(before.size).toBeGreaterThan(100);
    for (const at of [0, 1, 5, 500, 1498]) {
      const after = hashesOf(await cut(fileOf(change(at)), { sizes: small }));
      expect(after.filter((digest) => !before.has(digest)).length).toBeLessThanOrEqual(3);
    }
  });

  it("usual ones are of 32 KiB to 2 MiB", async () => {
    const content = fileOf(someLines(20_000));
    const pieces = await cut(content);
    expectSound(content, pieces);
    expect(pieces.length).toBeGreaterThan(20);
    for (const { bytes } of pieces.slice(0, -1)) expect(bytes).toBeGreaterThanOrEqual(32 * 1024);
    // No line ends a piece where all are alike.
    const alike = await cut(fileOf(Array.from({ length: 30_000 }, () => musicLine())));
    expect(alike.length).toBeGreaterThan(2);
    for (const { bytes } of alike) expect(bytes).toBeLessThan(2 * 1024 * 1024 + 1000);
  });

  it("a byte order mark is of none", async () => {
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

describe("a line too long to be loaded", () => {
  const lines = someLines(3000);
  /** With the names of another line: of those that have one name DuckDB shows just one to JavaScript. */
  const long = musicLine({
    song_id: 0,
    song_name: "Song 0",
    play_start: "2026-03-10T13:00:00+01:00",
    comment: "x".repeat(2 * 1024 * 1024),
  });

  it.each([
    ["where most is new", (): string[] => someLines(25_000).slice(3000)],
    ["where little is new", (): string[] => [musicLine({ zone_id: 8 })]],
  ])("is rejected again when its piece is known, %s", async (_label, added) => {
    const { load, warehouse } = await createLoadFixture();
    expect(await load([...lines, long])).toMatchObject({ newPlays: 3000, rejected: 1 });
    const more = added();
    expect(await load([...lines, long, ...more])).toMatchObject({ newPlays: more.length, rejected: 1 });
    expect(await warehouse.all("select line_number, reason from core.reject order by load_id")).toEqual([
      { line_number: 3001, reason: "line_too_long" },
      { line_number: 3001, reason: "line_too_long" },
    ]);
  });

  it("is rejected again when its piece has to be read once more", async () => {
    const { load } = await createLoadFixture();
    await load([...lines, long]);
    const longer = lines
      .slice(2990, 2991)
      .map((line) => line.replace('"duration_secs":200', '"duration_secs":300'));
    const counts = { changed: 1, unchanged: 2999, duplicate: 1, rejected: 1 };
    expect(await load([...lines, long, ...longer])).toMatchObject(counts);
  });
});

describe("a file that two threads read", () => {
  const lineCount = 600_000;

  /** About 140 MB. */
  async function* manyLines(from: number): AsyncGenerator<string> {
    for (let first = from; first < lineCount; first += 1000) {
      yield Array.from({ length: 1000 }, (_, index) => {
        const second = first + index;
        const playedAt = new Date(Date.UTC(2026, 0, 1) + second * 10_000).toISOString();
        return `${musicLine({ zone_id: second % 50, song_id: second % 977, play_start: playedAt.replace(".000Z", "+00:00") })}\n`;
      }).join("");
    }
  }

  itInAll("is known the second time, plain or packed, and when it has grown", async () => {
    const folder = createTempFolder();
    const [plain, packed] = [join(folder, "history.jsonl"), join(folder, "history.jsonl.gz")];
    await pipeline(Readable.from(manyLines(1000)), createWriteStream(plain));
    await pipeline(Readable.from(manyLines(0)), createGzip({ level: 1 }), createWriteStream(packed));
    const load = async (path: string) => {
      const args = ["load", path, "--kind", "music", "--json", "--data-dir", join(folder, "data")];
      const { code, stdout, stderr } = await startVenue(args, { environment: {}, workingFolder: folder })
        .finished;
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    };
    const count = 599_000;
    expect(await load(plain)).toMatchObject({ loads: [{ lines: count, new_plays: count }] });
    expect(await load(plain)).toMatchObject({ loads: [{ lines: count, unchanged: count }] });
    const grown = { lines: lineCount, new_plays: 1000, unchanged: count };
    expect(await load(packed)).toMatchObject({ loads: [grown] });
  });
});
