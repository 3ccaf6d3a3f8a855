import { describe, expect, it } from "vitest";
import { itEachSampled, itInAll } from "../../support/long-suite.ts";
import { prepareCopies } from "../../support/new-warehouse.ts";
import { createLoadFixture, type LoadFixture, musicLine } from "../load-fixture.ts";

const play = (minute: number, values: Record<string, unknown> = {}) =>
  musicLine({ play_start: new Date(Date.UTC(2026, 2, 1, 8, minute)).toISOString(), ...values });
const plays = Array.from({ length: 60 }, (_, minute) => play(minute, { song_id: 1 + (minute % 7) }));

/** Number of lines that the last load read; `undefined` if it read all. */
async function linesRead({ warehouse }: LoadFixture): Promise<number | undefined> {
  const { lines } = await warehouse.get<{ lines: number | null }>(
    "select case when getvariable('skips_known') then (select count(*) from temp.fresh_line) end as lines",
  );
  return lines ?? undefined;
}

async function countHashes({ warehouse }: LoadFixture): Promise<number> {
  return (await warehouse.get<{ hashes: number }>("select count(line_hash) as hashes from core.play")).hashes;
}

/** Makes a warehouse know the lines. */
async function loadTwice({ load }: LoadFixture, lines: readonly string[]): Promise<void> {
  for (const _time of [1, 2]) await load(lines);
}

const openLoaded = prepareCopies(async (warehouse) => {
  await loadTwice(await createLoadFixture({ warehouse }), plays);
});

/** A warehouse that knows the plays. */
async function openKnown(): Promise<LoadFixture> {
  return await createLoadFixture({ warehouse: await openLoaded() });
}

describe("a line that core knows is not read", () => {
  it("from the third load on: the first stores no hashes", async () => {
    const fixture = await createLoadFixture();
    await fixture.load(plays);
    expect(await countHashes(fixture)).toBe(0);
    expect(await fixture.load(plays)).toMatchObject({ unchanged: 60 });
    expect([await linesRead(fixture), await countHashes(fixture)]).toEqual([undefined, 60]);
    expect(await fixture.load(plays)).toMatchObject({ unchanged: 60 });
    expect(await linesRead(fixture)).toBe(0);
  });

  itEachSampled(
    [
      ["in another order", plays.toReversed(), 0, { unchanged: 60 }],
      ["with a new line", [...plays, play(60)], 1, { unchanged: 60, newPlays: 1 }],
      ["repeated", [...plays, ...plays.slice(0, 5)], 0, { unchanged: 60, duplicate: 5 }],
      ["without some", plays.filter((_, index) => index !== 30), 0, { unchanged: 59, vanished: 1 }],
      [
        "with a broken line",
        [...plays.slice(0, 9), "{", ...plays.slice(9)],
        1,
        { unchanged: 60, rejected: 1 },
      ],
      [
        "spelled in another way",
        [...plays.slice(1), ` ${plays[0]?.replaceAll('":', '": ')}`],
        1,
        { unchanged: 60 },
      ],
      [
        "with a renamed song",
        plays.map((line) => line.replace('"song_id":1,', '"song_id":1,"x":1,')),
        9,
        { unchanged: 60 },
      ],
      [
        "with a contradiction",
        [...plays, play(3, { song_id: 4, duration_secs: 900 })],
        1,
        { changed: 1, duplicate: 1 },
      ],
      [
        "with a shorter repeat",
        [...plays, play(3, { song_id: 4, duration_secs: 9 })],
        1,
        { unchanged: 60, duplicate: 1 },
      ],
    ] as readonly [string, string[], number, object][],
    4,
  )("%s", async ([_label, lines, read, counts]) => {
    const fixture = await openKnown();
    expect(await fixture.load(lines)).toMatchObject(counts);
    expect(await linesRead(fixture)).toBe(read);
    const { newPlays, changed, unchanged } = await fixture.load(lines);
    expect([newPlays, changed]).toEqual([0, 0]);
    expect(unchanged).toBe(
      new Set(lines.map((line) => /play_start":\s*"([^"]+)/.exec(line)?.[1])).size -
        (lines.includes("{") ? 1 : 0),
    );
  });

  it("unless a walk has changed its play", async () => {
    const fixture = await openKnown();
    const longer = play(3, { song_id: 4, duration_secs: 900 });
    expect(await fixture.load([longer], { source: "walk", zoneId: 7 })).toMatchObject({ changed: 1 });
    expect(await fixture.load(plays)).toMatchObject({ unchanged: 60 });
    expect(await linesRead(fixture)).toBe(1);
  });

  itInAll("unless it is too far ahead of this request", async () => {
    const fixture = await openKnown();
    const requestedAt = new Date(Date.UTC(2026, 1, 28, 8, 29, 30));
    expect(await fixture.load(plays, { requestedAt })).toMatchObject({ unchanged: 30, rejected: 30 });
    expect(await fixture.load(plays)).toMatchObject({ unchanged: 60 });
  });

  it("whatever other lines DuckDB can't read", async () => {
    const bad = ['{"zone_id":', "}", play(61, { note: "x".repeat(2 * 1024 * 1024) }), "[1]"];
    const lines = [...plays.slice(0, 30), ...bad, ...plays.slice(30)];
    const fixture = await createLoadFixture();
    await loadTwice(fixture, lines);
    expect(await fixture.load([...lines, play(62)])).toMatchObject({
      unchanged: 60,
      rejected: 4,
      newPlays: 1,
    });
    expect(await linesRead(fixture)).toBe(5);
  });

  itEachSampled(["\v", "\f"], 1)("nor one that is rejected only for %j around it", async (space) => {
    const fixture = await openKnown();
    const [first = "", ...others] = plays;
    for (const line of [`${space}${first}`, `${first}${space}`]) {
      expect(await fixture.load([line, ...others])).toMatchObject({ unchanged: 59, rejected: 1 });
      expect(await linesRead(fixture)).toBe(1);
    }
  });

  it("or is read if core has many more plays than the landing has lines", async () => {
    const fixture = await openKnown();
    expect(await fixture.load([plays[0] ?? "", play(60)])).toMatchObject({ unchanged: 1, newPlays: 1 });
    expect(await linesRead(fixture)).toBeUndefined();
  });

  itInAll("for one group only if that group was exported before", async () => {
    const fixture = await openKnown();
    expect(await fixture.load(plays, { groupId: 2 })).toMatchObject({ unchanged: 60 });
    for (const _time of [1, 2]) {
      expect(await fixture.load(plays, { groupId: 2 })).toMatchObject({ unchanged: 60 });
      expect(await fixture.load(plays)).toMatchObject({ unchanged: 60 });
      expect(await linesRead(fixture)).toBe(0);
    }
  });
});

/** Two strings with the same hash in DuckDB. */
const alike = ["Summer sale 2026", "feytrigqZrhLQlWh"] as const;

it("two names that hash alike keep ids and plays apart", async () => {
  const fixture = await createLoadFixture();
  const { warehouse, load } = fixture;
  const [{ isAlike } = { isAlike: false }] = await warehouse.all<{ isAlike: boolean }>(
    `select hash(?) = hash(?) as "isAlike"`,
    [...alike],
  );
  expect(isAlike).toBe(true);
  await load([
    play(1, { song_id: 1, song_name: alike[0] }),
    play(2, { song_id: 2, song_name: alike[1] }),
    play(3, { song_id: 1, song_name: alike[1] }),
  ]);
  expect(
    await warehouse.all("select item_id, count(*) as plays from core.play group by 1 order by 1"),
  ).toEqual([
    { item_id: 1, plays: 2 },
    { item_id: 2, plays: 1 },
  ]);
});
