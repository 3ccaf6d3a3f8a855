import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { formatDayText } from "../../../src/emulator/world/history/lines.ts";
import type { TruePlay } from "../../../src/emulator/world/plays/true-play.ts";
import { findOutages } from "../../../src/emulator/world/premises/zone.ts";
import { World } from "../../../src/emulator/world/world.ts";
import { type Kind, kinds } from "../../../src/util/kind.ts";
import { itEachSampled } from "../../support/long-suite.ts";
import { readPlays } from "./read-plays.ts";

const world = new World();
const cases = kinds.flatMap((kind) => world.groupIds.map((groupId): [Kind, number] => [kind, groupId]));

function exportText(of: World, kind: Kind, groupId: number, at: Date): string {
  const { firstDay, days } = of.plan;
  return of
    .zonesOfGroup(groupId)
    .flatMap((zone) =>
      Array.from({ length: days }, (_, index) =>
        formatDayText(of.plan, { kind, zone, day: firstDay + index, atMs: at.getTime(), badLineRate: 0 }),
      ),
    )
    .join("");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const keyOf = (play: TruePlay) => JSON.stringify(play);

describe("the default world", () => {
  const music = [...world.plays({ kind: "music", visibleAt: world.endsAt })];

  it("plays through clock changes and past midnight, but not on a closed Sunday", () => {
    const offsetsOf = (zoneId: number) =>
      new Set(music.filter((play) => play.zoneId === zoneId).map((play) => play.utcOffsetMinutes));
    expect([81001, 81004, 81008, 81012].map((zoneId) => [...offsetsOf(zoneId)])).toEqual([
      [-240, -300],
      [-420, -480],
      [120, 60],
      [330],
    ]);
    const twice = music.filter(({ zoneId, startedAt }) => {
      const minutesIntoNight = (startedAt - Date.parse("2026-10-25T00:00:00Z")) / 60_000;
      return zoneId === 81008 && minutesIntoNight >= 0 && minutesIntoNight < 120;
    });
    expect(new Set(twice.map(({ utcOffsetMinutes }) => utcOffsetMinutes))).toEqual(new Set([120, 60]));
    const lastOfBar = music.filter(({ zoneId }) => zoneId === 81003).at(-1);
    expect(lastOfBar?.localDate).toBe("2026-11-22");
    const sundays = music.filter(
      ({ zoneId, localDate }) => zoneId === 81007 && new Date(localDate).getUTCDay() === 0,
    );
    expect(sundays).toEqual([]);
  });

  it("has devices with outages: most then play nothing, one in four reports its plays afterwards", () => {
    let [silent, late] = [0, 0];
    const [from, until] = [Date.parse("2026-09-24"), Date.parse("2026-11-20")];
    for (const { zoneId, deviceId, playsWhileDown } of world.zones) {
      for (const { startedAtMs, endedAtMs } of findOutages(world.plan.seed, deviceId, from, until)) {
        const isWithin = (play: TruePlay) =>
          play.zoneId === zoneId && play.startedAt >= startedAtMs && play.startedAt < endedAtMs;
        const query = { kind: "music", zoneIds: [zoneId], visibleAt: new Date(endedAtMs) } as const;
        expect([...world.plays(query)].some(isWithin)).toBe(false);
        const count = music.filter(isWithin).length;
        if (playsWhileDown) late += count;
        else silent += count;
      }
    }
    expect([silent, late > 50]).toEqual([0, true]);
  });
});

describe("lines and truth", () => {
  itEachSampled(cases, 1)(
    "%s of group %i: parsing each line yields the true plays",
    async ([kind, groupId]) => {
      const found = readPlays(kind, exportText(world, kind, groupId, world.endsAt)).map(keyOf);
      const expected = [...world.plays({ kind, groupId, visibleAt: world.endsAt })].map(keyOf);
      expect(found.length).toBe(expected.length);
      expect(sha256(found.sort().join("\n"))).toBe(sha256(expected.sort().join("\n")));
    },
  );

  it.each(kinds)("%s: also in the middle of a day", (kind) => {
    const made = new World({ zones: 3, days: 4, seed: 5 });
    for (let hours = 13; hours < 110; hours += 5.37) {
      const at = new Date(made.plan.firstDay * 86_400_000 + Math.round(hours * 3_600_000));
      const found = readPlays(kind, exportText(made, kind, 58429, at)).map(keyOf);
      expect(found.sort()).toEqual(
        [...made.plays({ kind, groupId: 58429, visibleAt: at })].map(keyOf).sort(),
      );
    }
  });

  it.each(kinds)("%s: the counts match the lines", (kind) => {
    const lines = exportText(world, kind, 58429, world.endsAt).split("\n").slice(0, -1);
    const counts = world.lineCounts({ kind, groupId: 58429, visibleAt: world.endsAt });
    expect([counts.lines, counts.blank]).toEqual([lines.length, lines.filter((line) => line === "").length]);
    expect(counts.broken).toBeGreaterThan(5);
    expect(new Set(lines).size).toBeLessThan(lines.length);
    expect(lines.some((line) => line.includes('"duration_secs":0,'))).toBe(true);
  });
});

it.each(kinds)("%s: over time, lines are only added, and running plays grow", (kind) => {
  const made = new World({ zones: 2, days: 4, playScale: 0.3 });
  let earlier: string[] = [];
  for (let hours = 6; hours < 110; hours += 7.3) {
    const at = new Date(made.plan.firstDay * 86_400_000 + hours * 3_600_000);
    const later = exportText(made, kind, 58429, at).split("\n");
    const known = new Set(later);
    const starts = later.join("\n");
    const gone = earlier.filter((line) => !known.has(line));
    // At most one play runs in a zone at any instant.
    expect(gone.length).toBeLessThanOrEqual(2);
    for (const line of gone) {
      expect(starts).toContain(line.slice(line.indexOf('"play_start"')));
    }
    expect(later.length).toBeGreaterThanOrEqual(earlier.length);
    earlier = later;
  }
  expect(earlier.length).toBeGreaterThan(10);
});
