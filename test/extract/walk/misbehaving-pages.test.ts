import { describe, expect, it } from "vitest";
import { NotFoundError } from "../../../src/api/errors.ts";
import { collectWalk } from "../../../src/extract/walk/collect-walk.ts";
import type { WalkProgress } from "../../../src/extract/walk/walk-progress.ts";
import { itEachSampled, share } from "../../support/long-suite.ts";
import { serveResponses } from "../fake-service.ts";
import { byStart, clamp, numbersOf, type Play, shuffled, slice, sorted } from "./page-lists.ts";
import { type PageAnswer, type PageRequest, play, plays, servePages } from "./page-server.ts";

describe.each(["newest", "oldest"] as const)("listed %s first", (order) => {
  const listed = (list: readonly Play[]) => (order === "newest" ? list.toReversed() : [...list]);
  const hundred = listed(plays(100));

  itEachSampled(
    [
      ["a total of 40", (request) => ({ data: slice(hundred, request), total: 40 })],
      [
        "a total of 40, with the page size",
        (request) => ({ data: slice(hundred, request), total: 40, pageSize: clamp }),
      ],
      ["a total of 0", (request) => ({ data: slice(hundred, request), total: 0 })],
      ["a total at the end of a page", (request) => ({ data: slice(hundred, request), total: 50 })],
      [
        "a total that falls",
        (request) => ({ data: slice(hundred, request), total: request.count < 2 ? 100 : 60 }),
      ],
    ] as readonly [string, (request: PageRequest) => PageAnswer][],
    2,
  )("with %s, all 100 are found", async ([_label, answer]) => {
    const zone = await servePages(answer);
    expect((await zone.walk()).why).toBeUndefined();
    expect(sorted(zone.found)).toEqual(numbersOf(hundred));
  });

  it.each<[string, number, (shown: number, all: number) => number]>([
    ["the page's count", 100, (shown) => shown],
    ["two too few", clamp + 2, (_shown, all) => all - 2],
  ])("if a page's total is %s, and its size the limit, all %i are found", async (_label, count, total) => {
    const all = plays(count);
    const zone = await servePages((request) => {
      const data = slice(listed(all), request);
      return { data, total: total(data.length, all.length) };
    });
    expect((await zone.walk()).why).toBeUndefined();
    all.push(...plays(100, count));
    expect((await zone.walk()).why).toBeUndefined();
    expect(sorted(zone.found)).toEqual(numbersOf(all));
  });

  it("reads on after a page like the service's largest, or one of several, but not after a shorter one", async () => {
    const counts = new Map([
      [1, { shown: 60, pageCount: 1 }],
      [2, { shown: 58, pageCount: 1 }],
      [3, { shown: 60, pageCount: 1 }],
      [4, { shown: 58, pageCount: 2 }],
    ]);
    const zone = await servePages(({ zoneId, offset }) => {
      const { shown = 0, pageCount = 1 } = counts.get(zoneId) ?? {};
      return { data: listed(plays(shown)).slice(offset), total: shown, pageCount };
    });
    const pages: number[] = [];
    for (const zoneId of counts.keys()) pages.push((await zone.walk(zone.begin(), zoneId)).pages);
    expect(pages).toEqual([2, 1, 2, 2]);
  });

  it("a reported page size that is the page's own count costs no requests", async () => {
    const counts = new Map([
      [1, 3 * clamp - 5],
      [2, clamp - 5],
      [3, clamp - 2],
    ]);
    const zone = await servePages((request) => {
      const list = listed(plays(counts.get(request.zoneId) ?? 0));
      const data = slice(list, request);
      return { data, total: list.length, pageSize: data.length };
    });
    const pages: number[] = [];
    for (const zoneId of counts.keys()) pages.push((await zone.walk(zone.begin(), zoneId)).pages);
    expect(pages).toEqual([3, 1, 1]);
  });

  it("a total that stays too high is reported, and costs few requests", async () => {
    const zone = await servePages((request) => ({ data: slice(hundred, request), total: 130 }));
    const { why, pages } = await zone.walk();
    expect(why).toBe("the service counts 130 records but lists 100");
    expect(pages).toBeLessThanOrEqual(8);
  });

  it("reads on after a kill despite a total that is too low", async () => {
    const list = listed(plays(300));
    const stop = new AbortController();
    const zone = await servePages((request) => {
      if (request.count === 3) stop.abort(new Error("killed"));
      return { data: slice(list, request), total: 40, pageSize: clamp };
    });
    await expect(zone.walk(zone.begin(stop))).rejects.toThrow("killed");
    expect((await zone.walk()).why).toBeUndefined();
    expect(sorted(zone.found)).toEqual(numbersOf(list));
  });

  itEachSampled(
    [
      [4, clamp],
      [3, 10],
    ],
    1,
  )("finds all %i records of each instant in changing order, in pages of %i", async ([ties, pageSize]) => {
    const all = Array.from({ length: 300 }, (_, index) => play(index, Math.floor(index / ties) * 300));
    const zone = await servePages((request) => ({
      data: slice(listed(byStart(shuffled(all, request.count))), request).slice(0, pageSize),
      total: 300,
      pageSize,
    }));
    for (let time = 0; time < 3; time += 1) {
      expect((await zone.walk()).why).toBeUndefined();
      expect(sorted(zone.found)).toEqual(numbersOf(all));
    }
  });

  itEachSampled([0, 1, 2], 1)(
    "an undated record next to two of one instant hides neither: %i",
    async (at) => {
      const tied = [play(8, 1800), play(9, 1800)];
      const zone = await servePages((request) => {
        const [left, right] = request.count % 2 === 0 ? tied : tied.toReversed();
        const undated = { ...play(10), play_start: null };
        const middle = [left, right].toSpliced(request.count % 2 === 0 ? at : 2 - at, 0, undated) as Play[];
        const all = [...plays(8), ...middle, ...plays(19, 20)];
        return { data: listed(all).slice(request.offset, request.offset + 10), total: 30, pageSize: 10 };
      });
      expect((await zone.walk()).why).toBeUndefined();
      expect(sorted(zone.found)).toEqual([...plays(11), ...plays(19, 20)].map(({ song_id }) => song_id));
    },
  );

  it.each<[string, (data: Play[], count: number) => Play[]]>([
    [
      "comes twice at the end of some pages",
      (data, count) => [...data, ...(count % 3 === 2 ? data.slice(-1) : [])],
    ],
  ])("a record that %s hides no other record", async (_label, spoil) => {
    const all = listed(plays(500));
    const zone = await servePages((request) => ({
      data: spoil(slice(all, request), request.count),
      total: 500,
      pageSize: clamp,
    }));
    expect((await zone.walk()).why).toBeUndefined();
    expect(sorted(zone.found)).toEqual(numbersOf(all));
  });

  it("records that vanish while as many arrive hide none of the others", async () => {
    let all = plays(200);
    const zone = await servePages((request) => {
      if (request.count > 0 && request.count % 2 === 0 && request.count < 10)
        all = [...all.slice(1), play(200 + request.count)];
      return { data: slice(listed(all), request), total: 200, pageSize: clamp };
    });
    await zone.walk();
    const stayed = numbersOf(all).filter((number) => number < 200);
    expect(sorted(zone.found).filter((number) => stayed.includes(number))).toEqual(stayed);
  });

  it("zones that fit on a page take one request each, unless a limit may have truncated them", async () => {
    for (const [count, pages] of [
      [37, 1],
      [40, 2],
    ] as const) {
      const all = listed(plays(count));
      const zone = await servePages(({ offset, limit }) => ({
        data: all.slice(offset, offset + limit),
        total: count,
      }));
      for (const zoneId of [7, 8]) expect((await zone.walk(zone.begin(), zoneId)).pages).toBe(pages);
      expect((await zone.walk()).pages).toBe(1);
    }
  });

  it("a page that is not found is requested again, and the zone is not gone", async () => {
    const zone = await servePages((request) =>
      request.count === 0 || request.count === 3 ? 404 : { data: slice(hundred, request), total: 100 },
    );
    expect((await zone.walk()).why).toBeUndefined();
    expect(sorted(zone.found)).toEqual(numbersOf(hundred));
    expect(zone.state.zones.gone(zone.baseUrl)).toEqual(new Set());
  });

  it("pages that are never found after some offset make the zone incomplete, not gone", async () => {
    const zone = await servePages((request) =>
      request.offset > 40 ? 404 : { data: slice(hundred, request), total: 100 },
    );
    expect((await zone.walk()).why).toContain("the service counts 100 records");
    expect(zone.state.zones.gone(zone.baseUrl)).toEqual(new Set());
  });

  it.each<[string, (request: PageRequest) => Play[], string | undefined]>([
    [
      "repeats the last page after the end",
      (request) => slice(hundred, { ...request, offset: Math.min(request.offset, 75) }),
      undefined,
    ],
    [
      "ignores the offset",
      (request) => slice(hundred, { ...request, offset: 0 }),
      "the service counts 100 records but lists 25",
    ],
  ])("a service that %s is not requested forever", async (_label, data, why) => {
    const zone = await servePages((request) => ({ data: data(request), total: 100, pageSize: clamp }));
    const walked = await zone.walk();
    expect(walked.why).toBe(why);
    expect(walked.pages).toBeLessThanOrEqual(15);
  });
});

itEachSampled([1, 2, 3, 4], 1)(
  "oldest first: finds records appended at request %i while searching for late lines",
  async (at) => {
    const all = plays(200);
    let since = Number.POSITIVE_INFINITY;
    const zone = await servePages((request) => {
      if (request.count === since + at) all.push(play(300), play(301));
      if (request.count === since + at + 1) all.push(play(302));
      return { data: slice(byStart(all), request), total: all.length, pageSize: clamp };
    });
    since = (await zone.walk()).pages - 1;
    all.push(play(9000, 60 * 200 + 7), play(210));
    expect((await zone.walk()).why).toBeUndefined();
    expect(sorted(zone.found)).toEqual(numbersOf(all));
  },
);

it("newest first: a fluctuating total hides no late line from the next walk", async () => {
  const all = plays(300);
  const zone = await servePages((request) => ({
    data: slice(byStart(all).reverse(), request),
    total: all.length + (request.count >= 3 && request.count < 8 ? 1 : 0),
    pageSize: clamp,
  }));
  expect((await zone.walk()).why).toBeUndefined();
  all.push(play(9000, 20 * 200 + 7));
  expect((await zone.walk()).why).toBeUndefined();
  expect(sorted(zone.found)).toEqual(numbersOf(all));
});

it.each(["newest", "oldest"])(
  "%s first: an empty response for a known zone is not accepted at once",
  async (order) => {
    const all = order === "newest" ? plays(60).toReversed() : plays(60);
    let isEmpty = false;
    const zone = await servePages((request) =>
      isEmpty ? { data: [], total: 0 } : { data: slice(all, request), total: all.length, pageSize: clamp },
    );
    await zone.walk();
    isEmpty = true;
    expect((await zone.walk()).why).toBe("the service lists no records (it listed 60 before)");
    expect((await zone.walk()).why).toBeUndefined();
  },
);

describe("without a reliable order", () => {
  const all = plays(100);

  it("reports why a walk can't be proven complete", async () => {
    const zone = await servePages((request) => ({
      data: slice(shuffled(all, request.offset % 4), request),
      total: 100,
      pageSize: clamp,
    }));
    const { why } = await zone.walk();
    if (zone.found.size < 100) expect(why).toContain("in a different order on each request");
    expect(why === undefined).toBe(zone.found.size === 100);
  });

  it("an order that depends on the page is never complete before all records were seen", async () => {
    for (let seed = 0; seed < share(2, 8, 8); seed += 1) {
      const zone = await servePages((request) => ({
        data: slice(shuffled(all, seed * 100 + Math.floor(request.offset / clamp)), request),
        total: 100,
        pageSize: clamp,
      }));
      const { why } = await zone.walk();
      expect(why === undefined).toBe(zone.found.size === 100);
    }
  });

  it("repeated records that are not plays do not replace plays", async () => {
    const mixed = [...plays(60), ...Array.from({ length: 40 }, (_, broken) => ({ zone_id: 7, broken }))];
    for (let seed = 0; seed < 3; seed += 1) {
      const zone = await servePages((request) => ({
        data: slice(shuffled(mixed, seed * 100 + request.count), request),
        total: 100,
        pageSize: clamp,
      }));
      const { why } = await zone.walk();
      if (plays(60).some((_one, number) => !zone.found.has(number)))
        expect(why).toContain("in a different order on each request");
    }
  });

  it("all at one instant, in changing order", async () => {
    const same = Array.from({ length: 60 }, (_, index) => play(index, 5000));
    const zone = await servePages((request) => ({
      data: slice(shuffled(same, request.count), request),
      total: 60,
    }));
    const { why } = await zone.walk();
    expect(why === undefined).toBe(zone.found.size === 60);
  });

  it("records that the service has twice are proven by a second pass with other pages", async () => {
    const list = shuffled([...all, ...all.slice(0, 5)], 3);
    const zone = await servePages((request) => ({ data: slice(list, request), total: 105, pageSize: clamp }));
    const { why, pages } = await zone.walk();
    expect(why).toBeUndefined();
    expect(sorted(zone.found)).toEqual(numbersOf(all));
    expect(pages).toBeLessThanOrEqual(10);
  });
});

itEachSampled(
  [
    ["an offset of hours only", (start: string) => start.replace("+00:00", "+00")],
    ["a comma", (start: string) => start.replace(".", ",")],
  ],
  1,
)("instants written with %s are in order", async ([_label, write]) => {
  const all = plays(100).map((one) => ({ ...one, play_start: write(one.play_start as string) }));
  const zone = await servePages((request) => ({ data: slice(all.toReversed(), request), total: 100 }));
  await zone.walk();
  const { why, pages } = await zone.walk();
  expect([why, pages]).toEqual([undefined, 1]);
});

itEachSampled(
  [
    ["has a fractional page number", ({ offset, limit }) => ({ page: offset / limit + 1 })],
    ["has a fractional page count", ({ total, limit }) => ({ page_count: total / limit })],
    ["has invalid numbers", () => ({ page: "none", page_size: false, page_count: {} })],
  ] as readonly [string, (page: { offset: number; limit: number; total: number }) => object][],
  1,
)("accepts a page whose envelope %s", async ([_label, told]) => {
  const all = plays(60);
  const { begin } = await serveResponses(({ url: { searchParams } }) => {
    const [offset, limit] = [Number(searchParams.get("offset")), clamp];
    const data = all.slice(offset, offset + limit);
    return { json: { total_count: 60, data, ...told({ offset, limit, total: 60 }) } };
  });
  const { why, landing } = await collectWalk({ kind: "music", zoneId: 7 }, begin());
  expect(why).toBeUndefined();
  expect(landing.bytes).toBe(all.reduce((bytes, one) => bytes + JSON.stringify(one).length + 1, 0));
});

it.each([
  ["null", { json: { total_count: 0, page_size: 1000, page: 1, page_count: 0, data: null } }],
  ["missing data", { json: { total_count: 0, page_size: 1000, page: 1, page_count: 0 } }],
  ["no content", { status: 204 }],
])("an empty history written as %s is empty", async (_label, answer) => {
  const { begin, requested } = await serveResponses(() => answer);
  const { why, landing } = await collectWalk({ kind: "music", zoneId: 7 }, begin());
  expect([why, landing.bytes]).toEqual([undefined, 0]);
  expect(requested).toHaveLength(1);
});

it("a walk saved by an earlier version starts again", async () => {
  const all = plays(100);
  const stop = new AbortController();
  const zone = await servePages((request) => {
    if (request.count === 2) stop.abort(new Error("killed"));
    return { data: slice(all, request), total: all.length, pageSize: clamp };
  });
  await expect(zone.walk(zone.begin(stop))).rejects.toThrow("killed");
  const { walks } = zone.state;
  const { walkId, progress } = walks.open(zone.baseUrl, { kind: "music", zoneId: 7 });
  const { phase: _phase, ...saved } = progress as WalkProgress;
  walks.savePage(walkId, { landingId: saved.landingId, progress: saved, pageSize: clamp });
  const { why, pages, landing } = await zone.walk();
  expect([why, pages]).toEqual([undefined, 5]);
  expect(landing.landingId).not.toBe(saved.landingId);
  expect(sorted(zone.found)).toEqual(numbersOf(all));
});

it.each([400, 404, 416, 422])(
  "oldest first: walks on in a zone that dropped its oldest records, with %i for offsets after its end",
  async (status) => {
    let all = plays(240);
    const zone = await servePages((request) =>
      request.offset >= all.length ? status : { data: slice(all, request), total: all.length },
    );
    await zone.walk();
    for (let day = 0; day < 3; day += 1) {
      all = plays(150 - day, 200 + 100 * day);
      expect((await zone.walk()).why).toBeUndefined();
      expect([...zone.found]).toEqual(expect.arrayContaining(numbersOf(all)));
    }
  },
);

it("a history that is not found twice is a failure", async () => {
  const zone = await servePages(() => 404);
  await expect(zone.walk()).rejects.toThrow(NotFoundError);
});

describe("oldest first, while searching for late lines", () => {
  it.each<[string, (all: Play[]) => boolean]>([
    ["a page without records", () => true],
    ["further late lines", (all) => all.push(play(9001, 150 * 200 + 7)) === 0],
  ])("%s loses none", async (_label, disturb) => {
    const all = plays(200);
    let since = Number.POSITIVE_INFINITY;
    const zone = await servePages((request) => {
      const isEmpty = request.count === since + 2 && disturb(all);
      return { data: isEmpty ? [] : slice(byStart(all), request), total: all.length, pageSize: clamp };
    });
    since = (await zone.walk()).pages;
    all.push(play(9000, 60 * 200 + 7));
    expect((await zone.walk()).why).toBeUndefined();
    await zone.walk();
    expect(sorted(zone.found)).toEqual(numbersOf(all));
  });
});
