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
