import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { NotFoundError } from "../../../src/api/errors.ts";
import { type HistoryOrder, historyOrders } from "../../../src/emulator/options.ts";
import type { FaultSetting } from "../../../src/emulator/server/faults/fault-table.ts";
import { Random } from "../../../src/emulator/world/random.ts";
import { collectWalk } from "../../../src/extract/walk/collect-walk.ts";
import { isSoak, itEachSampled, itInAll, itInSoak, share } from "../../support/long-suite.ts";
import { startWalk } from "./walk-fixture.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** About 1,400 records. */
const smallWorld = { days: 5, pageLimit: 100 };

const faults: [string, FaultSetting[], string | undefined][] = [
  ["no fault", [], undefined],
  ["clamped limits", [{ name: "clamped-limit", value: 37 }], undefined],
  ["records inserted between pages", [{ name: "inserted-record", value: 1 }], undefined],
  ["many records inserted between pages", [{ name: "inserted-record", value: 60 }], undefined],
  ["a repeated record", [{ name: "repeated-record", times: 1 }], undefined],
  ["repeated records on every page", [{ name: "repeated-record" }], undefined],
  ["empty pages", [{ name: "empty-page", times: 3, probability: 0.3 }], undefined],
  ["an empty first page", [{ name: "empty-page", times: 1 }], undefined],
  ["a total that is sometimes wrong", [{ name: "wrong-total", times: 2, probability: 0.3 }], undefined],
  ["a total that is too high", [{ name: "wrong-total", value: 7 }], "counts"],
  ["a total that is too low", [{ name: "wrong-total", value: -7 }], undefined],
  ["pages in reverse order", [{ name: "reordered-page", times: 3, probability: 0.5 }], undefined],
];

/** Each fault is tried with one order, or with all in `make soak`. */
const isMet = (order: HistoryOrder) => (_fault: unknown, index: number) =>
  isSoak || historyOrders[index % historyOrders.length] === order;

describe.each(historyOrders)("listed %s first", (order) => {
  const met = faults.filter(isMet(order));
  // One order in `make test`: the differences are tried with the faults.
  const itOf = order === historyOrders[0] ? it : itInAll;
  it.each(met)("with %s, all plays are found", findsAll);
  itInSoak.each(faults.filter((fault) => !met.includes(fault)))("with %s, all plays are found", findsAll);

  async function findsAll(_label: string, settings: FaultSetting[], why?: string): Promise<void> {
    const zone = await startWalk({ ...smallWorld, order });
    zone.emulator.setFaults(settings);
    const walked = await zone.walk();
    expect(zone.found()).toEqual(zone.truth());
    expect(walked.why ?? "complete").toContain(why ?? "complete");
    expect(walked.landing.isComplete).toBe(why === undefined);
    zone.emulator.setFaults([]);
    zone.setNow(new Date(zone.emulator.now().getTime() + 2 * dayMs));
    const next = await zone.walk();
    expect(next.landing.isComplete).toBe(true);
    expect(zone.found()).toEqual(zone.truth());
  }

  itOf("records that are not plays land unchanged, and count like in the service's total", async () => {
    const zone = await startWalk({ ...smallWorld, order });
    zone.emulator.setFaults([{ name: "bad-records", value: 0.1 }]);
    const { landing, pages } = await zone.walk();
    const listed: string[] = [];
    const { client } = zone.begin();
    for (let offset = 0; ; offset += 100) {
      const page = await client.history.rawPage({ kind: "music", zoneId: zone.zoneId, offset });
      listed.push(...page.data.map((record) => JSON.stringify(record)));
      if (listed.length >= page.total_count) break;
    }
    expect([...zone.lines].sort()).toEqual(listed.sort());
    expect(listed.filter((line) => !/^\{.*"zone_id".*"play_start"/.test(line)).length).toBeGreaterThan(20);
    expect(landing.isComplete).toBe(true);
    const whole = await startWalk({ ...smallWorld, order });
    // Two identical records around a page boundary look shifted, so one page is read again.
    expect(pages).toBeLessThanOrEqual((await whole.walk()).pages + 1);
    zone.setNow(new Date(zone.emulator.now().getTime() + 2 * dayMs));
    expect((await zone.walk()).landing.isComplete).toBe(true);
  });

  itOf.each([0, 1, 2])("a zone with %i records takes one request each time", async (records) => {
    const zone = await startWalk({ days: 3, order, playScale: 0.2 });
    const first = [
      ...zone.emulator.world.plays({ kind: "music", visibleAt: zone.emulator.world.endsAt }),
    ].filter(({ durationSecs }) => durationSecs > 0);
    const startsAt = first[records]?.startedAt ?? 0;
    zone.setNow(new Date(startsAt - 1000));
    expect(zone.truth()).toHaveLength(records);
    for (let time = 0; time < 2; time += 1) {
      const { pages, landing } = await zone.walk();
      expect(pages).toBe(1);
      expect(landing.isComplete).toBe(true);
      expect(zone.found()).toEqual(zone.truth());
    }
    zone.setNow(zone.emulator.world.endsAt);
    await zone.walk();
    expect(zone.found()).toEqual(zone.truth());
  });

  itOf("walks day after day, with late lines and growing plays", async () => {
    const zone = await startWalk({ days: 16, pageLimit: 100, order, seed: 3 });
    const { endsAt } = zone.emulator.world;
    for (const daysBefore of share([8, 0], [8, 7.99, 2, 0], [11.3, 10.9, 8, 7.99, 5, 4.5, 2, 0.7, 0.66, 0])) {
      zone.setNow(new Date(endsAt.getTime() - daysBefore * dayMs));
      const { landing } = await zone.walk();
      expect(landing.isComplete).toBe(true);
      expect(zone.found()).toEqual(zone.truth());
    }
  });

  itOf("resumes with the next page after stopping at any page", async () => {
    const zone = await startWalk({ ...smallWorld, order });
    // Slow enough to be stopped on a busy machine.
    zone.emulator.setFaults([{ name: "slow", value: 20 }]);
    const random = new Random(5, order);
    let stops = 0;
    for (; ; stops += 1) {
      const stop = new AbortController();
      const pages = random.between(1, 3);
      const before = zone.offsets().length;
      const timer = setInterval(() => {
        if (zone.offsets().length >= before + pages) stop.abort(new Error("killed"));
      }, 1);
      const walked = await zone.walk(stop).catch(() => undefined);
      clearInterval(timer);
      if (walked) break;
      expect(stops).toBeLessThan(100);
    }
    expect(zone.found()).toEqual(zone.truth());
    expect(stops).toBeGreaterThan(2);
    // Only the page in flight is requested again.
    const requested = zone.offsets();
    const whole = await startWalk({ ...smallWorld, order });
    expect(requested.length).toBeLessThanOrEqual((await whole.walk()).pages + stops);
    expect(zone.lines).toEqual(whole.lines);
  });
});

itEachSampled(
  [
    ["is missing", (path: string) => rmSync(path)],
    ["lost its last page", (path: string) => truncateSync(path, statSync(path).size - 1_000)],
    ["holds NUL bytes", (path: string) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  ],
  1,
)("reads a history from the start if the file of its saved pages %s", async ([_label, damage]) => {
  const zone = await startWalk(smallWorld);
  // Slow enough to be stopped on a busy machine.
  zone.emulator.setFaults([{ name: "slow", value: 20 }]);
  const stop = new AbortController();
  const stopped = zone.walk(stop);
  await vi.waitFor(() => expect(zone.offsets().length).toBeGreaterThan(3));
  stop.abort(new Error("killed"));
  await expect(stopped).rejects.toThrow("killed");
  const [name = ""] = readdirSync(zone.folder.landing);
  expect(name).toMatch(/^music-zone-.*\.jsonl\.part$/);
  damage(join(zone.folder.landing, name));
  const { landing } = await zone.walk();
  expect(landing.isComplete).toBe(true);
  expect(zone.found()).toEqual(zone.truth());
  expect(readdirSync(zone.folder.landing)).toEqual([expect.stringMatching(/\.jsonl$/)]);
});

describe.each(["newest", "oldest"] as const)("listed %s first", (order) => {
  const itOf = order === "oldest" ? it : itInAll;

  itOf("takes one request without new records, else as many as they need", async () => {
    const pageSize = 100;
    const zone = await startWalk({ days: 8, pageLimit: pageSize, order });
    const { endsAt } = zone.emulator.world;
    zone.setNow(new Date(endsAt.getTime() - 4 * dayMs));
    await zone.walk();
    const { state, emulator, zoneId } = zone;
    const walkState = () => state.walks.find(emulator.baseUrl, { kind: "music", zoneId });
    let inOrder = 0;
    for (let hours = 4 * 24; hours >= 0; hours -= 6) {
      zone.setNow(new Date(endsAt.getTime() - hours * hourMs));
      const [before, total] = [zone.found(), walkState()?.knownTotal ?? 0];
      const { pages, landing } = await zone.walk();
      expect(landing.isComplete).toBe(true);
      expect(zone.found()).toEqual(zone.truth());
      const again = await zone.walk();
      expect(again.pages).toBe(1);
      expect(again.landing.bytes).toBe(0);
      // Texts begin with the instant: no late line among the new ones.
      const fresh = zone.found().filter((play) => !before.includes(play));
      if (fresh.some((play) => play < (before.at(-2) ?? ""))) continue;
      inOrder += 1;
      expect(pages).toBeLessThanOrEqual(Math.ceil(((walkState()?.knownTotal ?? 0) - total) / pageSize) + 1);
    }
    expect(inOrder).toBeGreaterThan(4);
  });

  it("reads on to late lines further down, and stops there", async () => {
    const zone = await startWalk({ days: 30, pageLimit: 50, order, seed: 8 });
    const { endsAt } = zone.emulator.world;
    zone.setNow(new Date(endsAt.getTime() - 3 * dayMs));
    const first = await zone.walk();
    zone.setNow(endsAt);
    const second = await zone.walk();
    expect(zone.found()).toEqual(zone.truth());
    // Late lines are at most six days late: nine of thirty days.
    expect(second.pages).toBeLessThan(first.pages * 0.4);
  });
});

it("reports a history that is not found without marking the zone as gone", async () => {
  const zone = await startWalk(smallWorld);
  zone.emulator.setFaults([{ name: "zone-gone" }]);
  const context = zone.begin();
  await expect(collectWalk({ kind: "music", zoneId: zone.zoneId }, context)).rejects.toThrow(NotFoundError);
  expect(zone.state.zones.gone(zone.emulator.baseUrl)).toEqual(new Set());
});
