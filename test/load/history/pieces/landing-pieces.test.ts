import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { cutLandings } from "../../../../src/load/history/pieces/landing-pieces.ts";
import { createLoadFixture, type LoadFixture, musicLine } from "../../load-fixture.ts";
import { declareLandings } from "./declare-landings.ts";

const sizes = { minBytes: 300, maxBytes: 4000, linesPerCut: 4 };
const textOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `${musicLine({ song_id: from + index })}\n`).join("");
const lines = (text: string) => text.split("\n").slice(0, -1);

async function take(
  fixture: LoadFixture,
  contents: readonly [string | Buffer, ...(string | Buffer)[]],
  { isCareful = false, pieceSizes = sizes } = {},
) {
  const landings = await declareLandings(fixture, contents);
  const { folder, warehouse } = fixture;
  const shown: string[] = [];
  const options = { folder, isCareful, sizes: pieceSizes, show: (line: string) => shown.push(line) };
  return { ...(await cutLandings(warehouse, landings, options)), landings, shown };
}

async function rowsOf({ warehouse }: LoadFixture): Promise<number> {
  return (await warehouse.get<{ rows: number }>("select count(*) as rows from temp.line")).rows;
}

it("DuckDB also reads a plain landing without known pieces", async () => {
  const fixture = await createLoadFixture();
  expect(await take(fixture, [textOf(100)])).toMatchObject({ rows: 100 });
  expect(await rowsOf(fixture)).toBe(100);
});

it.each<[label: string, contents: [string | Buffer, ...(string | Buffer)[]], isCareful: boolean]>([
  ["packed", [gzipSync(textOf(100))], false],
  ["next to another one", [textOf(100), textOf(100, 100)], false],
  ["that DuckDB's reader failed on", [textOf(100)], true],
])("DuckDB does not read a landing %s yet", async (_label, contents, isCareful) => {
  const fixture = await createLoadFixture();
  expect(await take(fixture, contents, { isCareful })).toMatchObject({ rows: undefined });
  expect(await rowsOf(fixture)).toBe(0);
});

it("DuckDB does not read a partly known landing yet, and known pieces are reported", async () => {
  const fixture = await createLoadFixture({ pieceSizes: sizes });
  await fixture.load(lines(textOf(200)));
  const { rows, list } = await take(fixture, [textOf(300)]);
  expect(rows).toBeUndefined();
  expect(await rowsOf(fixture)).toBe(0);
  const known = list.filter(({ isKnown }) => isKnown);
  const knownLines = known.reduce((sum, piece) => sum + piece.lines, 0);
  expect(knownLines).toBeGreaterThan(150);
  expect(knownLines).toBeLessThanOrEqual(200);
  const stored = await fixture.warehouse.all(
    `select p.place, s.lines, s.piece_id from temp.piece as p
     inner join core.piece as s on s.piece_id = p.piece_id and s.digest = p.digest
     where p.is_known order by p.place`,
  );
  expect(stored).toHaveLength(known.length);
  expect(stored).toMatchObject(known.map((piece) => ({ lines: piece.lines })));
});

it("pieces of several landings are in the landings' order, each with its own landing and file", async () => {
  const fixture = await createLoadFixture();
  const contents = [textOf(50), gzipSync(textOf(50, 50)), textOf(50)] as const;
  const { list, landings, shown } = await take(fixture, [...contents]);
  expect([...new Set(list.map(({ landing }) => landing))]).toEqual(landings);
  expect(new Set(list.map(({ path }) => path)).size).toBe(3);
  expect(list.filter(({ path }) => path === landings[0].path).length).toBeGreaterThan(1);
  expect(shown).toHaveLength(150);
  const taken = await fixture.warehouse.all(
    "select place, load_id, digest, bytes, lines, blank, is_known from temp.piece order by place",
  );
  expect(taken).toEqual(
    list.map(({ landing, digest, bytes, lines: count, blank, isKnown }, place) => ({
      ...{ place, load_id: landing.loadId, digest, bytes, lines: count, blank, is_known: isKnown },
    })),
  );
});

it("takes any number of pieces", async () => {
  const fixture = await createLoadFixture();
  const text = Array.from({ length: 20_001 }, (_, index) => `${index}\n`).join("");
  const pieceSizes = { minBytes: 1, maxBytes: 20, linesPerCut: 1 };
  const { list } = await take(fixture, [text], { pieceSizes });
  expect(list).toHaveLength(20_001);
  const places = await fixture.warehouse.all<{ place: number; digest: string }>(
    "select place, digest from temp.piece order by place",
  );
  expect(places.every(({ place, digest }, index) => place === index && digest === list[index]?.digest)).toBe(
    true,
  );
  expect(places).toHaveLength(20_001);
});
