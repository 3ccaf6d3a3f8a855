import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { LoadResult } from "../../../src/load/history/ledger.ts";
import { loadHistory, loadWalks } from "../../../src/load/history/load-history.ts";
import type { WalkLanding } from "../../../src/load/history/open-landing.ts";
import { itEachLimited } from "../../support/long-suite.ts";
import { createLoadFixture, type LoadFixture, musicLine } from "../load-fixture.ts";
import { Random, randomLines } from "./random-lines.ts";

const loadedAt = new Date("2026-06-02T00:00:00Z");

function landWalk(
  { folder }: LoadFixture,
  zoneId: number,
  name: string,
  lines: readonly string[],
): WalkLanding {
  const path = join(folder, `${name}-${zoneId}.jsonl`);
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  const requestedAt = new Date(Date.UTC(2026, 5, 1, 0, zoneId));
  return {
    landingId: `${name}-${zoneId}`,
    path,
    kind: "music",
    source: "walk",
    zoneId,
    requestedAt,
    isComplete: true,
  };
}

/** Random lines by zone; lines that are not objects or name no zone may belong to any. */
function linesByZone(random: Random, count: number): Map<number, string[]> {
  const lines = randomLines(random, count, { zones: 4, days: 5, badShare: 0.05, isContradictory: true });
  const zones = new Map<number, string[]>();
  for (const { text } of lines) {
    if (text.includes("\n")) continue;
    const zoneId = Number(/"zone_id":\s*"?(\d+)\b/.exec(text)?.[1] ?? 1);
    zones.set(zoneId, [...(zones.get(zoneId) ?? []), text]);
  }
  return zones;
}

/** All results of loads, ledger and rejects included; load ids are replaced by landings. */
async function everything(fixture: LoadFixture) {
  const { warehouse } = fixture;
  return {
    ...(await fixture.state()),
    loads: await warehouse.all("select * exclude (load_id) from core.load order by landing_id"),
    rejects: await warehouse.all(
      `select l.landing_id, r.* exclude (load_id) from core.reject as r inner join core.load as l using (load_id)
       order by all`,
    ),
    playLoads: await warehouse.all(
      `select p.zone_id, p.played_at, p.item_id, f.landing_id as first_landing, l.landing_id as last_landing
       from core.play as p
       inner join core.load as f on f.load_id = p.first_load_id
       inner join core.load as l on l.load_id = p.last_load_id
       order by all`,
    ),
  };
}

itEachLimited(
  [1, 2, 3, 4],
  0,
  1,
)("walks loaded together give the same result as one by one, seed %i", async (seed) => {
  const [together, single] = [await createLoadFixture(), await createLoadFixture()];
  const random = new Random(seed);
  for (let round = 0; round < 4; round += 1) {
    const zones = [...linesByZone(random, random.pick([0, 5, 300]))];
    // A walk without new lines.
    zones.push([99, []]);
    const walks = zones.map(([zoneId, lines]) => landWalk(together, zoneId, `walk-${round}`, lines));
    const loads = await loadWalks(together.warehouse, walks, { loadedAt });
    const expected: LoadResult[] = [];
    for (const walk of walks) expected.push(await loadHistory(single.warehouse, walk, { loadedAt }));
    const withoutNumbers = (results: readonly LoadResult[] = []) =>
      results.map(({ loadId: _, ...result }) => result);
    expect(withoutNumbers(loads)).toEqual(withoutNumbers(expected));
    expect(await everything(together)).toEqual(await everything(single));
  }
  // Loading again has no effect.
  const walks = [landWalk(together, 99, "walk-0", []), landWalk(together, 99, "walk-1", [])];
  const again = await loadWalks(together.warehouse, walks, { loadedAt });
  expect(again?.map(({ isRepeat }) => isRepeat)).toEqual([true, true]);
});

it("walks loaded before are reported as before, and the others are loaded", async () => {
  const fixture = await createLoadFixture();
  const [one, two, three] = [1, 2, 3].map((zone_id) =>
    landWalk(fixture, zone_id, "walk", [musicLine({ zone_id })]),
  ) as [WalkLanding, WalkLanding, WalkLanding];
  const [earlier] = (await loadWalks(fixture.warehouse, [two], { loadedAt })) ?? [];
  const loads = await loadWalks(fixture.warehouse, [one, two, three], { loadedAt });
  expect(loads?.map(({ landingId, isRepeat, newPlays }) => [landingId, isRepeat, newPlays])).toEqual([
    ["walk-2", true, 1],
    ["walk-1", false, 1],
    ["walk-3", false, 1],
  ]);
  expect(loads?.[0]).toEqual({ ...earlier, isRepeat: true });
  expect(await fixture.warehouse.get("select count(*) as plays from core.play")).toEqual({ plays: 3 });
});

it("interrupted walks do not have to be loaded one by one", async () => {
  const fixture = await createLoadFixture();
  const walks = [1, 2].map((zone_id) => landWalk(fixture, zone_id, "walk", [musicLine({ zone_id })]));
  const stopping = new AbortController();
  const loading = loadWalks(fixture.warehouse, walks, {
    loadedAt,
    signal: stopping.signal,
    onProgress: () => stopping.abort(new Error("stopped")),
  });
  await expect(loading).rejects.toThrow("stopped");
  expect(await fixture.warehouse.get("select count(*) as plays from core.play")).toEqual({ plays: 0 });
});

it.each<[string, (fixture: LoadFixture) => WalkLanding[]]>([
  [
    "holds another zone",
    (fixture) => [
      landWalk(fixture, 1, "walk", [musicLine({ zone_id: 1 })]),
      landWalk(fixture, 2, "walk", [musicLine({ zone_id: 3 })]),
    ],
  ],
  [
    "is missing",
    (fixture) => [
      landWalk(fixture, 1, "walk", [musicLine({ zone_id: 1 })]),
      { ...landWalk(fixture, 2, "walk", []), path: join(fixture.folder, "none.jsonl") },
    ],
  ],
])("does nothing if one %s: they have to be loaded one by one", async (_label, land) => {
  const fixture = await createLoadFixture();
  const before = await everything(fixture);
  expect(await loadWalks(fixture.warehouse, land(fixture), { loadedAt })).toBeUndefined();
  expect(await everything(fixture)).toEqual(before);
});

it("rejects a line that is ahead for its own walk, but not for a later one loaded with it", async () => {
  const [together, single] = [await createLoadFixture(), await createLoadFixture()];
  // Walk 1 was requested at 00:01, walk 50 at 00:50: more than a day ahead is rejected.
  const lines = ["2026-05-20T12:00:00+00:00", "2026-06-02T00:30:00+00:00"].map((play_start) =>
    musicLine({ zone_id: 1, play_start }),
  );
  const walks = [landWalk(together, 1, "ahead", lines), landWalk(together, 50, "ahead", [])];
  const loads = await loadWalks(together.warehouse, walks, { loadedAt });
  for (const walk of walks) await loadHistory(single.warehouse, walk, { loadedAt });
  expect(loads?.map(({ rejected }) => rejected)).toEqual([1, 0]);
  expect(await everything(together)).toEqual(await everything(single));
});

it("walks without new plays begin the days since, like each alone", async () => {
  const [together, single] = [await createLoadFixture(), await createLoadFixture()];
  for (const { load } of [together, single])
    await load([musicLine({ play_start: "2026-05-20T12:00:00+01:00" })]);
  const requestedAt = new Date("2026-06-05T12:00:00Z");
  const walks = [7, 8].map((zoneId) => ({ ...landWalk(together, zoneId, "later", []), requestedAt }));
  await loadWalks(together.warehouse, walks, { loadedAt });
  for (const walk of walks) await loadHistory(single.warehouse, walk, { loadedAt });
  const { zoneDays } = await together.state();
  expect(zoneDays.at(-1)).toMatchObject({ zone_id: 7, date: "2026-06-05" });
  expect(zoneDays).toEqual((await single.state()).zoneDays);
});
