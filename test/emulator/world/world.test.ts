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
  const plays = new Map(kinds.map((kind) => [kind, [...world.plays({ kind, visibleAt: world.endsAt })]]));
  const music = plays.get("music") ?? [];

  it("has about 300,000 plays of 3 kinds in 60 days", () => {
    const counts = [...plays.values()].map(({ length }) => length);
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(280_000);
    expect(counts.reduce((sum, count) => sum + count)).toBeLessThan(320_000);
    expect(counts.map((count) => Math.round(count / 20_000))).toEqual([9, 5, 1]);
    const dates = [...new Set(music.map(({ localDate }) => localDate))].sort();
    // The 61st is the end of the last night.
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([61, "2026-09-23", "2026-11-22"]);
  });

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

  it("has devices with outages: most then play nothing, one in four keeps playing and reports afterwards", () => {
    const { plan } = world;
    let silentHours = 0;
    let lateReports = 0;
    for (const zone of world.zones) {
      const ownPlays = music.filter(({ zoneId }) => zoneId === zone.zoneId);
      const outages = findOutages(
        plan.seed,
        zone.deviceId,
        Date.parse("2026-09-24"),
        Date.parse("2026-11-20"),
      );
      for (const { startedAtMs, endedAtMs } of outages) {
        const within = ownPlays.filter((play) => play.startedAt >= startedAtMs && play.startedAt < endedAtMs);
        const statusAt = (ms: number) =>
          world.devices(zone.groupIds[0] ?? 0, new Date(ms)).find((device) => device.zone_id === zone.zoneId);
        const middleMs = Math.floor((startedAtMs + endedAtMs) / 2);
        expect(statusAt(startedAtMs - 1)?.status).toBe("online");
        expect(statusAt(middleMs)?.status).toBe("offline");
        expect(Date.parse(`${statusAt(middleMs)?.last_online_date}Z`)).toBe(
          Math.floor(startedAtMs / 60_000) * 60_000,
        );
        if (!zone.playsWhileDown) {
          expect(within).toEqual([]);
          silentHours += (endedAtMs - startedAtMs) / 3_600_000;
        } else if (within.length > 0) {
          const query = { kind: "music", zoneIds: [zone.zoneId] } as const;
          const known = [...world.plays({ ...query, visibleAt: new Date(endedAtMs) })];
          expect(known.some(({ startedAt }) => startedAt >= startedAtMs && startedAt < endedAtMs)).toBe(
            false,
          );
          lateReports += within.length;
        }
      }
    }
    expect(silentHours).toBeGreaterThan(50);
    expect(lateReports).toBeGreaterThan(50);
  });
});

describe("lines and truth", () => {
  itEachSampled(cases, 2)(
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

  it("some plays are reported late, by hours or days", () => {
    const query = { kind: "music", groupId: 58429 } as const;
    const early = new Date("2026-10-20T12:00:00Z");
    const before = new Set([...world.plays({ ...query, visibleAt: early })].map(keyOf));
    const after = [...world.plays({ ...query, visibleAt: world.endsAt })];
    const late = after.filter(
      (play) => play.startedAt < early.getTime() - 600_000 && !before.has(keyOf(play)),
    );
    expect(late.length).toBeGreaterThan(10);
    expect(late.length).toBeLessThan(400);
  });
});

describe("seed and instant", () => {
  const small = { zones: 2, days: 4, playScale: 0.3 };

  it("the same seed and instant give the same bytes, another seed different ones", () => {
    const textOf = (seed: number) => {
      const made = new World({ ...small, seed });
      return exportText(made, "music", 58429, made.endsAt);
    };
    expect(textOf(7)).toBe(textOf(7));
    expect(textOf(7)).not.toBe(textOf(8));
  });

  it.each(kinds)("%s: over time, lines are only added, and running plays grow", (kind) => {
    const made = new World(small);
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
});
