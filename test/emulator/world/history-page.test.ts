import { describe, expect, it } from "vitest";
import { type HistoryOrder, historyOrders } from "../../../src/emulator/options.ts";
import { HistoryPages } from "../../../src/emulator/world/history/history-page.ts";
import { World } from "../../../src/emulator/world/world.ts";
import { readPlays } from "./read-plays.ts";

const world = new World({ zones: 2, days: 4, playScale: 0.3 });
const [zone] = world.zones;
if (!zone) throw new Error("The world has no zone.");
const atMs = world.endsAt.getTime();

async function readAll(order: HistoryOrder, limit: number): Promise<string[]> {
  const pages = new HistoryPages(world.plan);
  const query = { kind: "music", zone: zone ?? never(), atMs, order } as const;
  const records: string[] = [];
  for (;;) {
    const page = await pages.read(query, records.length, limit);
    records.push(...page.records);
    if (page.records.length < limit) {
      expect(records.length).toBe(page.totalCount);
      return records;
    }
  }
}

function never(): never {
  throw new Error("The world has no zone.");
}

const startsOf = (records: string[]) => records.map((record) => Date.parse(JSON.parse(record).play_start));

describe.each(historyOrders)("%s", (order) => {
  it.each([1, 7, 100, 10_000])("pages of %i make up the same history", async (limit) => {
    const records = await readAll(order, limit);
    expect(records).toEqual(await readAll(order, 33));
    const query = { kind: "music", zoneIds: [zone.zoneId], visibleAt: world.endsAt } as const;
    expect(readPlays("music", records.join("\n")).length).toBe([...world.plays(query)].length);
  });
});

it("has the requested order", async () => {
  const oldest = startsOf(await readAll("oldest", 50));
  expect(oldest).toEqual(oldest.toSorted((left, right) => left - right));
  expect(startsOf(await readAll("newest", 50))).toEqual(oldest.toReversed());
  const unsorted = startsOf(await readAll("unsorted", 50));
  expect(unsorted).not.toEqual(oldest);
  expect(unsorted.toSorted((left, right) => left - right)).toEqual(oldest);
});

it.each(historyOrders)("%s: hidden records appear later", async (order) => {
  const all = await readAll(order, 50);
  const pages = new HistoryPages(world.plan);
  const query = { kind: "music", zone, atMs, order, hiddenCount: 5 } as const;
  const { totalCount, records } = await pages.read(query, 0, 10_000);
  expect(totalCount).toBe(all.length - 5);
  expect(records).toEqual(order === "oldest" ? all.slice(0, -5) : all.slice(5));
  expect((await pages.read(query, 3, 4)).records).toEqual(records.slice(3, 7));
});

describe("zones with their own scale", () => {
  const scales = [
    { zoneId: 81001, playScale: 0 },
    { zoneId: 81002, kind: "music", playScale: 70 },
  ] as const;
  const uneven = new World({ zones: 3, days: 60, zoneScales: scales });

  it("one may be empty, in exports too, without affecting the others", async () => {
    const even = new World({ zones: 3, days: 60 });
    const playsOf = (of: World, zoneId: number) => [
      ...of.plays({ kind: "signage", zoneIds: [zoneId], visibleAt: of.endsAt }),
    ];
    expect(playsOf(uneven, 81001)).toEqual([]);
    expect(playsOf(uneven, 81002)).toEqual(playsOf(even, 81002));
    const pages = new HistoryPages(uneven.plan);
    const query = { kind: "music", zone: uneven.zones[0] ?? never(), atMs: Number.MAX_SAFE_INTEGER } as const;
    expect(await pages.read({ ...query, order: "newest" }, 0, 10)).toEqual({ totalCount: 0, records: [] });
  });
});
