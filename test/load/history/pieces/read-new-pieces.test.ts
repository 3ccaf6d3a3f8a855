import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { HistoryLanding } from "../../../../src/load/history/open-landing.ts";
import { cutLandings } from "../../../../src/load/history/pieces/landing-pieces.ts";
import { readNewPieces } from "../../../../src/load/history/pieces/read-new-pieces.ts";
import { createLoadFixture, type LoadFixture, musicLine } from "../../load-fixture.ts";
import { declareLandings } from "./declare-landings.ts";

const sizes = { minBytes: 300, maxBytes: 4000, linesPerCut: 4 };
/** Each line is a piece. */
const ofOneLine = { minBytes: 1, maxBytes: 2_000_000, linesPerCut: 1 };

const songs = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => musicLine({ song_id: from + index }));
const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

interface Reading {
  overrides?: (index: number) => Partial<HistoryLanding>;
  isCareful?: boolean;
  pieceSizes?: typeof sizes;
  signal?: AbortSignal;
  /** Runs once the pieces are taken. */
  meanwhile?: (path: string) => void;
}

/** Takes and reads the pieces of landings; `copies` are the readings for which DuckDB read a copy. */
async function read(
  fixture: LoadFixture,
  contents: readonly [string | Buffer, ...(string | Buffer)[]],
  { overrides, isCareful = false, pieceSizes = ofOneLine, signal, meanwhile }: Reading = {},
) {
  const landings = await declareLandings(fixture, contents, overrides);
  const { folder, warehouse } = fixture;
  const pieces = await cutLandings(warehouse, landings, {
    folder,
    isCareful,
    sizes: pieceSizes,
    show: () => {},
  });
  meanwhile?.(landings[0].path);
  const found = await readNewPieces(warehouse, pieces, { folder, isCareful, signal });
  const readings = await warehouse.all<{ place: number; reading: number | null }>(
    "select place, reading from temp.piece order by place",
  );
  return {
    found,
    readings: readings.map(({ reading }) => reading),
    copies: [1, 2, 3].filter((reading) => existsSync(join(folder, `reading-${reading}.jsonl`))),
  };
}

/** Item ids of the records, in line order. */
async function itemsOf({ warehouse }: LoadFixture): Promise<number[]> {
  const rows = await warehouse.all<{ item_id: number }>("select item_id from temp.record order by line_row");
  return rows.map(({ item_id }) => item_id);
}

const nothing = { rows: 0, validLines: 0, repeatedKeys: 0, matched: 0, changed: 0, matchedTwice: 0 };

async function fixtureWith(lines: readonly string[], pieceSizes = ofOneLine): Promise<LoadFixture> {
  const fixture = await createLoadFixture({ pieceSizes });
  await fixture.load(lines);
  return fixture;
}

describe("the lines that a load reads", () => {
  it("are all lines if no piece is known, as DuckDB has read them already", async () => {
    const fixture = await createLoadFixture();
    const { found, readings, copies } = await read(fixture, [textOf(songs(20))]);
    expect(found).toEqual({ ...nothing, rows: 20, validLines: 20 });
    expect(readings).toEqual(Array(20).fill(1));
    expect(copies).toEqual([]);
    expect(await itemsOf(fixture)).toEqual([...Array(20).keys()]);
  });

  it("are none if all pieces are known or the landing is empty", async () => {
    const fixture = await fixtureWith(songs(20));
    expect(await read(fixture, [textOf(songs(20))])).toEqual({
      found: nothing,
      readings: Array(20).fill(null),
      copies: [],
    });
    expect(await read(await createLoadFixture(), [""])).toEqual({ found: nothing, readings: [], copies: [] });
  });

  it("are a copy of the new lines if these are fewer, in the landing's order", async () => {
    const fixture = await fixtureWith(songs(60));
    const mixed = [...songs(25, 100), ...songs(60), ...songs(25, 200)];
    const { found, readings, copies } = await read(fixture, [textOf(mixed)]);
    expect(found).toEqual({ ...nothing, rows: 50, validLines: 50 });
    expect(readings).toEqual([...Array(25).fill(1), ...Array(60).fill(null), ...Array(25).fill(1)]);
    expect(copies).toEqual([1]);
    const ids = [...Array(25).keys()];
    expect(await itemsOf(fixture)).toEqual([...ids.map((id) => 100 + id), ...ids.map((id) => 200 + id)]);
  });

  it.each(["plain", "packed"])("are all lines if most are new (%s)", async (form) => {
    const fixture = await fixtureWith(songs(30));
    const text = textOf(songs(100));
    const { found, readings, copies } = await read(fixture, [form === "plain" ? text : gzipSync(text)]);
    expect(found).toMatchObject({ rows: 100, validLines: 100, matched: 30, changed: 0 });
    expect(readings).toEqual(Array(100).fill(1));
    expect(copies).toEqual([]);
    expect(await itemsOf(fixture)).toEqual([...Array(100).keys()]);
  });

  it("are a copy of several landings, each line once", async () => {
    const fixture = await createLoadFixture();
    const { found, copies } = await read(fixture, [textOf(songs(5)), textOf(songs(5, 5))]);
    expect(found).toEqual({ ...nothing, rows: 10, validLines: 10 });
    expect(copies).toEqual([1]);
    expect(await itemsOf(fixture)).toEqual([...Array(10).keys()]);
  });

  it("are a copy without the lines that DuckDB's reader failed on before", async () => {
    const fixture = await createLoadFixture();
    const lines = [...songs(2), '{"song_id":', '5,"zone_id":7}', ...songs(2, 2)];
    const { found, copies } = await read(fixture, [textOf(lines)], { isCareful: true });
    expect(found).toEqual({ ...nothing, rows: 6, validLines: 4 });
    expect(copies).toEqual([1]);
    expect(await itemsOf(fixture)).toEqual([0, 1, 2, 3]);
    const rejects = await fixture.warehouse.all("select reason, line from temp.reject order by line");
    expect(rejects).toEqual(
      ['5,"zone_id":7}', '{"song_id":'].map((line) => ({ reason: "invalid_json", line })),
    );
  });

  it("are a copy without overlong lines if few are new", async () => {
    const long = musicLine({ comment: "x".repeat(2 ** 21) });
    const fixture = await fixtureWith(songs(3));
    await fixture.load([musicLine({ song_id: 99, comment: "x".repeat(1_000_000) })]);
    // The longest line is known, so most bytes are new, but less than 60 %.
    const known = Array.from({ length: 2 }, () => musicLine({ song_id: 99, comment: "x".repeat(1_000_000) }));
    const { found, copies } = await read(fixture, [textOf([...known, ...songs(5, 5), long])]);
    expect({ found, copies }).toMatchObject({ found: { rows: 6, validLines: 5 }, copies: [1] });
  });
});

describe("DuckDB cannot be trusted to read", () => {
  it("a mostly new landing with an overlong line", async () => {
    const long = musicLine({ comment: "x".repeat(2 ** 20) });
    const fixture = await createLoadFixture();
    await expect(read(fixture, [textOf([...songs(3), long])])).rejects.toMatchObject({
      name: "ReaderFailure",
      message: expect.stringMatching(/^a line of .*taken-\d+\.jsonl is too long for DuckDB$/),
    });
  });

  it.each([
    ["fewer lines", 3],
    ["more lines", 40],
  ])("a landing that has %s than when it was cut", async (_label, count) => {
    const fixture = await fixtureWith(songs(1));
    const meanwhile = (path: string) => writeFileSync(path, textOf(songs(count)));
    await expect(read(fixture, [textOf(songs(20))], { meanwhile })).rejects.toMatchObject({
      name: "ReaderFailure",
      message: expect.stringMatching(
        new RegExp(`^DuckDB read ${count} of 20 lines of .*taken-\\d+\\.jsonl$`),
      ),
    });
  });
});

describe("known pieces are read after all", () => {
  it("if a new line contradicts them, and no others", async () => {
    const fixture = await fixtureWith(songs(20));
    const longer = musicLine({ song_id: 3, duration_secs: 300 });
    const { found, readings, copies } = await read(fixture, [textOf([...songs(20), longer])]);
    expect(found).toMatchObject({ rows: 2, validLines: 2, repeatedKeys: 1, matched: 1, changed: 1 });
    expect(readings).toEqual([...Array(20).keys(), 20].map((place) => ({ 3: 2, 20: 1 })[place] ?? null));
    expect(copies).toEqual([1, 2]);
  });

  it("if few lines contradict most of a landing, none of them twice", async () => {
    const known = songs(3).map((line) => `${line}${" ".repeat(2000)}`);
    const longer = songs(3).map((line) => line.replace("200", "300"));
    const { found, readings, copies } = await read(await fixtureWith(known), [textOf([...known, ...longer])]);
    expect(found).toMatchObject({ rows: 6, validLines: 6, repeatedKeys: 3, matched: 3, changed: 3 });
    expect(readings).toEqual([2, 2, 2, 1, 1, 1]);
    expect(copies).toEqual([1, 2]);
  });

  it("if their ledger entries depend on a contradicted piece", async () => {
    const twice = [...songs(10), ...songs(1).map((line) => `${line} `)];
    const fixture = await fixtureWith(twice);
    expect(await fixture.warehouse.all("select * from core.piece_link")).toHaveLength(1);
    const longer = musicLine({ song_id: 0, duration_secs: 300 });
    const { found, readings } = await read(fixture, [textOf([...twice, longer])]);
    // One of the pieces shows the play; the other one is read for that reason.
    expect(readings).toEqual([2, ...Array(9).fill(null), 2, 1]);
    expect(found).toMatchObject({ rows: 3, repeatedKeys: 1, matched: 1 });
  });

  it("if lines repeat each other: they are merged again with the lines read then", async () => {
    const fixture = await fixtureWith(songs(10));
    const [first = "", second = ""] = songs(2).map((line) => line.replace("200", "300"));
    const { found } = await read(fixture, [textOf([...songs(10), first, `${first} `, second])]);
    expect(found).toMatchObject({
      rows: 5,
      validLines: 5,
      repeatedKeys: 2,
      matched: 2,
      changed: 2,
      matchedTwice: 0,
    });
    const merged = await fixture.warehouse.all("select item_id from temp.merged_repeat order by item_id");
    expect(merged).toEqual([{ item_id: 0 }, { item_id: 1 }]);
  });
});

it("lines that repeat a play of core are matched once, as one", async () => {
  const fixture = await fixtureWith(songs(3));
  const changed = musicLine({ song_id: 1, duration_secs: 250 });
  const lines = [...songs(3), ...songs(30, 50), changed, `${changed} `];
  const { found } = await read(fixture, [textOf(lines)]);
  expect(found).toMatchObject({ repeatedKeys: 1, matched: 3, changed: 1, matchedTwice: 0 });
});

it("walks loaded together each have their own latest instant", async () => {
  const fixture = await createLoadFixture();
  const at = (zone_id: number) => musicLine({ zone_id, play_start: "2026-03-10T12:00:00Z" });
  const overrides = (index: number) => ({
    source: "walk" as const,
    zoneId: index,
    requestedAt: new Date(["2026-03-12T00:00:00Z", "2026-03-09T00:00:00Z"][index] ?? 0),
  });
  const { found } = await read(fixture, [textOf([at(0)]), textOf([at(1)])], { overrides });
  expect(found).toMatchObject({ rows: 2, validLines: 1 });
  expect(await fixture.warehouse.all("select reason from temp.reject")).toEqual([
    { reason: "timestamp_out_of_range" },
  ]);
});

it("a reading stops on request, even without new lines", async () => {
  const fixture = await fixtureWith(songs(5));
  const signal = AbortSignal.abort(new Error("stopped"));
  await expect(read(fixture, [textOf(songs(5))], { signal })).rejects.toThrow("stopped");
});
