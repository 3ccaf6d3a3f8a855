import { describe, expect, it } from "vitest";
import type { LoadFixture } from "./load-fixture.ts";
import { countsOf, createLoadFixture } from "./load-fixture.ts";
import { type LineShape, Random, randomLines } from "./random-lines.ts";
import { type KnownLine, ReferenceModel } from "./reference-model.ts";

const shape: LineShape = { zones: 4, days: 5, badShare: 0.02, isContradictory: true };
const withoutZeros = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
const seconds = (timestamp: unknown) => Date.parse(`${timestamp}Z`.replace(" ", "T")) / 1000;

async function expectSameCore({ warehouse }: LoadFixture, model: ReferenceModel): Promise<void> {
  const stored = await warehouse.all(
    "select *, epoch(played_at_local - played_at)::integer / 60 as local_minutes from core.play order by zone_id, played_at, item_id",
  );
  const expected = [...model.plays.values()].sort(
    (left, right) =>
      left.zoneId - right.zoneId || left.playedAt - right.playedAt || left.itemId - right.itemId,
  );
  expect(
    stored.map((row) => [
      row.zone_id,
      row.item_id,
      seconds(row.played_at),
      row.local_minutes,
      row.utc_offset_minutes,
      row.written_offset_minutes,
      row.duration_secs,
      row.artist_id,
      row.location_id,
      row.date,
    ]),
  ).toEqual(
    expected.map((play) => [
      play.zoneId,
      play.itemId,
      play.playedAt,
      play.offsetMinutes,
      play.offsetMinutes,
      play.offsetMinutes,
      play.durationSecs,
      play.artistId,
      play.locationId,
      new Date((play.playedAt + play.offsetMinutes * 60) * 1000).toISOString().slice(0, 10),
    ]),
  );
  const names = await warehouse.all(
    "select * from core.name_span where subject in ('zone', 'item') order by subject, id, name",
  );
  expect(
    names.map(({ subject, id, name, first_at, last_at }) => [
      `${subject} ${id} ${name}`,
      seconds(first_at),
      seconds(last_at),
    ]),
  ).toEqual(
    [...model.names]
      .map(([key, { first, last }]) => [key, first, last])
      .sort(([left], [right]) => (String(left) < String(right) ? 1 : -1))
      .sort(([left], [right]) => String(left).localeCompare(String(right), "en")),
  );
  const dirty = await warehouse.all("select distinct date from core.dirty_day order by date");
  expect(dirty.map(({ date }) => date)).toEqual([...model.dirty].sort());
}

async function expectRejects(
  { warehouse }: LoadFixture,
  loadId: number,
  lines: readonly KnownLine[],
): Promise<void> {
  const rejects = await warehouse.all(
    "select line_number, reason, line from core.reject where load_id = ? order by line_number",
    [loadId],
  );
  expect(rejects).toEqual(
    lines.flatMap((line, index) =>
      "reason" in line ? [{ line_number: index + 1, reason: line.reason, line: line.text }] : [],
    ),
  );
}

describe("core is what a plain reference makes of the same lines", () => {
  it.each([1, 2, 3, 4, 5, 6])("random lines, seed %i", async (seed) => {
    const random = new Random(seed);
    const fixture = await createLoadFixture();
    const model = new ReferenceModel();
    let lines: KnownLine[] = [];
    for (let load = 0; load < 8; load += 1) {
      const added = randomLines(random, random.pick([0, 1, 20, 400]), {
        ...shape,
        badShare: random.pick([0, 0.02, 0.3]),
      });
      // Mostly what was there before and more, as exports are: also without some lines, in another order, anew.
      const kept = random.pick([0, 0.9, 1, 1, 1]);
      lines = [...lines.filter(() => random.next() < kept), ...added];
      if (random.next() < 0.3) lines = random.shuffle(lines);

      const result = await fixture.load(lines.map(({ text }) => text));
      expect(countsOf(result)).toEqual(withoutZeros(model.load(lines)));
      await expectSameCore(fixture, model);
      await expectRejects(fixture, result.loadId, lines);
    }
  });
});

describe("the same lines give the same core", () => {
  const lines = randomLines(new Random(77), 1500, { ...shape, isContradictory: false }).map(
    ({ text }) => text,
  );

  it.each<[label: string, loads: (random: Random) => string[][]]>([
    ["loaded twice", () => [lines, lines]],
    ["in pieces", () => [lines.slice(0, 100), lines.slice(100, 900), lines.slice(900)]],
    ["in pieces, the last first", () => [lines.slice(900), lines.slice(100, 900), lines.slice(0, 100)]],
    ["shuffled", (random) => [random.shuffle(lines)]],
    ["with repeats", (random) => [random.shuffle([...lines, ...lines.slice(300, 700), ...lines])]],
    ["piece by piece, then whole", () => [lines.slice(0, 10), lines.slice(0, 700), lines, lines]],
  ])("%s", async (_label, loads) => {
    const once = await createLoadFixture();
    await once.load(lines);
    const otherwise = await createLoadFixture();
    for (const load of loads(new Random(5))) await otherwise.load(load);
    expect(await otherwise.state()).toEqual(await once.state());
  });
});
