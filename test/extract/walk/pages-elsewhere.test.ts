import { expect, it } from "vitest";
import { byStart, clamp, numbersOf, shuffled, slice, sorted, wholePage } from "./page-lists.ts";
import { play, plays, servePages } from "./page-server.ts";

// Pages that do not begin at the offset that they were asked for.

it.each(["newest", "oldest"].flatMap((order) => [1, clamp, 1000].map((growth) => [order, growth] as const)))(
  "%s first: where pages begin at multiples of the limit alone, all are found: %i more",
  async (order, growth) => {
    const all = plays(10 * clamp);
    const zone = await servePages((request) => {
      const list = order === "newest" ? all.toReversed() : all;
      return { data: wholePage(list, request), total: all.length };
    });
    const first = await zone.walk();
    expect(first.why).toBeUndefined();
    expect(first.pages).toBeLessThanOrEqual(16);
    expect(sorted(zone.found)).toEqual(numbersOf(all));
    for (let time = 0; time < 3; time += 1) {
      all.push(...plays(growth, all.length));
      const { why, pages } = await zone.walk();
      expect(why).toBeUndefined();
      expect(pages).toBeLessThanOrEqual(5 + Math.ceil((1.5 * growth) / clamp));
      expect(sorted(zone.found)).toEqual(numbersOf(all));
    }
  },
);

it.each(["newest", "oldest"].flatMap((order) => [3, 4, 5].map((most) => [order, most] as const)))(
  "%s first: small whole pages that all end at one place hide nothing behind it: %i records",
  async (order, most) => {
    const all = plays(70);
    const zone = await servePages((request) => {
      const list = order === "newest" ? all.toReversed() : all;
      return { data: wholePage(list, request, most), total: all.length };
    });
    for (const growth of [20, 1, 0]) {
      expect((await zone.walk()).why).toBeUndefined();
      expect(sorted(zone.found)).toEqual(numbersOf(all));
      all.push(...plays(growth, all.length));
    }
  },
);

it.each(["newest", "oldest"])(
  "%s first: where a zone showed that pages begin at multiples of the limit, others need not show it again",
  async (order) => {
    const all = plays(2 * clamp - 10);
    const zone = await servePages((request) => {
      const list = order === "newest" ? all.toReversed() : all;
      return { data: wholePage(list, request), total: all.length };
    });
    const walks = [];
    for (const zoneId of [7, 8, 9]) walks.push(await zone.walk(zone.begin(), zoneId));
    expect(walks.map(({ why, pages }) => [why, pages])).toEqual([
      [undefined, 3],
      [undefined, 2],
      [undefined, 2],
    ]);
  },
);

it.each(["newest", "oldest"])(
  "%s first: a zone that outgrows its only page is read whole, where pages begin at multiples of the limit",
  async (order) => {
    const all = plays(80);
    const zone = await servePages((request) => {
      const list = order === "newest" ? all.toReversed() : all;
      return { data: wholePage(list, request, 100), total: all.length };
    });
    for (const growth of [5, 10, 10, 60, 3]) {
      expect((await zone.walk()).why).toBeUndefined();
      expect(sorted(zone.found)).toEqual(numbersOf(all));
      all.push(...plays(growth, all.length));
    }
    expect((await zone.walk()).why).toBeUndefined();
    expect(sorted(zone.found)).toEqual(numbersOf(all));
  },
);

it.each([1, 40, 60])(
  "newest first: pages that begin a record early hide no late line from the next walk, with %d that are new",
  async (growth) => {
    let list = plays(200).map((one) => play(2 * (one.song_id as number)));
    const zone = await servePages(({ offset, limit }) => {
      const from = Math.max(0, offset - 1);
      const data = list.toReversed().slice(from, from + Math.min(limit, clamp));
      return { data, total: list.length };
    });
    expect((await zone.walk()).why).toBeUndefined();
    for (const late of [101, 203, 307]) {
      const newest = (list.at(-1)?.song_id as number) + 2;
      const more = Array.from({ length: growth }, (_, index) => play(newest + 2 * index));
      list = byStart([...list, ...more, play(late)]);
      expect((await zone.walk()).why).toBeUndefined();
      expect(sorted(zone.found)).toEqual(numbersOf(list));
    }
    expect((await zone.walk()).pages).toBe(1);
  },
);

it.each([100, 40])(
  "in the order of arrival, pages that begin a record early hide no late line where the total is %d",
  async (total) => {
    const all = plays(100);
    const list = [...all];
    list.splice(30, 0, ...list.splice(2, 1));
    const zone = await servePages((request) => {
      const data = slice(list, { ...request, offset: Math.max(0, request.offset - 1) });
      return { data, total };
    });
    expect((await zone.walk()).why).toBeUndefined();
    expect(sorted(zone.found)).toEqual(numbersOf(all));
  },
);

it("pages that begin a record early are not taken for whole pages, however little of one was asked for", async () => {
  // The second page of a second pass, whose first one is half as large, has to show again what began at one instant.
  const list = [play(0), play(1), play(2, 400), play(3, 400), ...shuffled(plays(60, 4), 1)];
  const limits: number[] = [];
  const zone = await servePages(({ offset, limit, count }) => {
    if (count === 1) list.push(play(64));
    if (offset > 0) limits.push(limit);
    const data = list.slice(Math.max(0, offset - 1), offset + Math.min(limit, 7));
    return { data, total: list.length };
  });
  const { why, pages } = await zone.walk();
  expect({ why, pages }).toEqual({ why: undefined, pages: limits.length + 2 });
  expect(sorted(zone.found)).toEqual(numbersOf(list));
  // Whole pages are asked for with limits of their own.
  expect(new Set(limits)).toEqual(new Set([1000]));
});
