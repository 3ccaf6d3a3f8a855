import { describe, expect, it } from "vitest";
import { type HistoryOrder, HistoryPages, historyOrders } from "../../../src/emulator/world/history-page.ts";
import { World } from "../../../src/emulator/world/world.ts";
import { readPlays } from "./read-plays.ts";

const world = new World({ zones: 2, days: 4, playScale: 0.3 });
const [zone] = world.zones;
if (!zone) throw new Error("The world has no zone.");
const atMs = world.endsAt.getTime();

function readAll(order: HistoryOrder, limit: number): string[] {
  const pages = new HistoryPages(world.plan);
  const query = { kind: "music", zone: zone ?? never(), atMs, order } as const;
  const records: string[] = [];
  for (;;) {
    const page = pages.read(query, records.length, limit);
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
  it.each([1, 7, 100, 10_000])("pages of %i join to the same history", (limit) => {
    const records = readAll(order, limit);
    expect(records).toEqual(readAll(order, 33));
    const query = { kind: "music", zoneIds: [zone.zoneId], visibleAt: world.endsAt } as const;
    expect(readPlays("music", records.join("\n")).length).toBe([...world.plays(query)].length);
  });
});

it("is in the order that was asked for", () => {
  const oldest = startsOf(readAll("oldest", 50));
  expect(oldest).toEqual(oldest.toSorted((left, right) => left - right));
  expect(startsOf(readAll("newest", 50))).toEqual(oldest.toReversed());
  const unsorted = startsOf(readAll("unsorted", 50));
  expect(unsorted).not.toEqual(oldest);
  expect(unsorted.toSorted((left, right) => left - right)).toEqual(oldest);
});
