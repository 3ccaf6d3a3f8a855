import { describe, expect, it } from "vitest";
import { findOutages } from "../../../../src/emulator/world/premises/zone.ts";
import { World } from "../../../../src/emulator/world/world.ts";

const world = new World();
const hourMs = 3_600_000;
const startMs = world.plan.firstDay * 24 * hourMs;
const instants = Array.from(
  { length: world.plan.days * 8 },
  (_, index) => new Date(startMs + index * 3 * hourMs),
);

/** Allowed transitions, including a state to itself. */
const progress: Record<string, string[]> = {
  planned: ["scheduled>underway", "underway>complete", "scheduled>complete", "scheduled>cancelled"],
  unplanned: [
    "investigating>identified",
    "investigating>recovering",
    "investigating>resolved",
    "investigating>false_alarm",
    "identified>recovering",
    "identified>resolved",
    "recovering>resolved",
  ],
  general: [],
};

describe("notices", () => {
  it("only appear and progress from state to state", () => {
    const states = new Map<number, string>();
    let count = 0;
    for (const at of instants) {
      const notices = world.notices(at);
      expect(notices.length).toBeGreaterThanOrEqual(count);
      count = notices.length;
      expect(notices.map(({ createdAtMs }) => createdAtMs)).toEqual(
        notices.map(({ createdAtMs }) => createdAtMs).sort((left, right) => right - left),
      );
      for (const { notice, latest, updates } of notices) {
        const [before, now] = [states.get(notice.noticeId), latest.state ?? ""];
        if (before !== undefined && before !== now)
          expect(progress[notice.type]).toContain(`${before}>${now}`);
        states.set(notice.noticeId, now);
        const times = updates.map(({ atMs }) => atMs);
        expect(times).toEqual(times.toSorted((left, right) => left - right));
      }
    }
    expect(count).toBeGreaterThan(60);
  });

  it("report some device outages, while they lasted", () => {
    const { seed } = world.plan;
    const outages = world.zones.flatMap(({ deviceId }) =>
      findOutages(seed, deviceId, startMs, world.endsAt.getTime()),
    );
    const published = world
      .notices(world.endsAt)
      .filter(({ notice }) => notice.subject.includes("can't be reached"));
    expect(published.length).toBeGreaterThan(3);
    expect(published.length).toBeLessThan(outages.length);
    for (const { beganAtMs = 0 } of published) {
      expect(outages.some(({ startedAtMs }) => Math.abs(startedAtMs - beganAtMs) < 60_000)).toBe(true);
    }
  });

  it("an incident begins before it is published; a cancelled maintenance never begins or ends", () => {
    for (const { notice, beganAtMs, endedAtMs, createdAtMs, latest } of world.notices(world.endsAt)) {
      if (notice.type === "unplanned") expect(beganAtMs).toBeLessThanOrEqual(createdAtMs);
      if (latest.state === "cancelled") expect([beganAtMs, endedAtMs]).toEqual([undefined, undefined]);
      if (latest.state === "complete") expect(endedAtMs).toBeGreaterThan(beganAtMs ?? Number.NaN);
    }
  });
});
