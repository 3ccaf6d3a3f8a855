import { expect, it } from "vitest";
import { type Play, slice, sorted } from "./page-lists.ts";
import { play, plays, servePages } from "./page-server.ts";

/** Walks of a list that tests change, with their progress reports. */
async function walksOf(list: readonly Play[]) {
  let listed = [...list];
  let onRequest = () => {};
  const { begin, walk, found } = await servePages((request) => {
    onRequest();
    return { data: slice(listed, request), total: listed.length };
  });
  return {
    found,
    show: (other: readonly Play[]) => (listed = [...other]),
    add: (...more: Play[]) => (listed = [...more, ...listed]),
    /** Called before each page is answered. */
    whileReading: (body: () => void) => (onRequest = body),
    /** @param now current time. @default one second later each time */
    async walk(now?: string) {
      const told = { requests: [] as number[], lines: 0 };
      const context = begin();
      const progress = {
        ...context.progress,
        expectRequests: (requests: number) => told.requests.push(requests),
        addLines: (lines: number) => (told.lines += lines),
      };
      if (now !== undefined) context.clock.now = () => new Date(now);
      return { ...(await walk({ ...context, progress })), told };
    },
  };
}

it("a full walk records its number of requests; an incremental one takes one", async () => {
  const { walk, show } = await walksOf(plays(60));
  expect((await walk()).told).toEqual({ requests: [2], lines: 60 });
  expect((await walk()).told).toEqual({ requests: [], lines: 0 });
  show(plays(62));
  expect((await walk()).told).toEqual({ requests: [], lines: 2 });
  const empty = await walksOf([]);
  expect((await empty.walk()).told).toEqual({ requests: [], lines: 0 });
  const short = await walksOf(plays(3));
  expect((await short.walk()).told).toEqual({ requests: [0], lines: 3 });
});

it("late records that arrive with each request are found by the next undisturbed walk", async () => {
  const { walk, add, whileReading, found } = await walksOf(plays(300, 5000));
  let late = 5000;
  whileReading(() => add(play(--late)));
  for (let time = 0; time < 2; time += 1) expect((await walk()).why).toBeUndefined();
  whileReading(() => {});
  expect((await walk()).why).toBeUndefined();
  expect(sorted(found)).toEqual(Array.from({ length: 5300 - late }, (_, index) => late + index));
  expect((await walk()).pages).toBe(1);
});

it("more records at one instant than fit on a page are proven by their count each time", async () => {
  const together = (one: Play, index: number) =>
    index >= 30 && index < 70 ? { ...one, play_start: play(30).play_start } : one;
  const { walk, show, found } = await walksOf(plays(100).map(together));
  expect(await walk()).toMatchObject({ pages: 5 });
  expect(await walk()).toMatchObject({ pages: 5 });
  expect(found.size).toBe(100);
  // A record shown twice hides another one.
  show(plays(100).map((one, index) => together(index === 40 ? play(41) : one, index)));
  expect((await walk()).why).toBe(
    "more records start at one instant than fit on one page: 99 of 100 records found",
  );
});

it.each(["oldest", "newest"])(
  "%s first: records that were ahead are collected once more when due, and no others",
  async (order) => {
    const ahead = play(40, 31 * 86_400 + 30 * 3600);
    const list = [...plays(40), ahead];
    const { walk } = await walksOf(order === "oldest" ? list : list.toReversed());
    const lines = async (now: string) => (await walk(now)).told.lines;
    expect(await lines("2026-11-01T00:00:00Z")).toBe(41);
    expect(await lines("2026-11-01T03:00:00Z")).toBe(0);
    expect(await lines("2026-11-02T06:00:01Z")).toBe(1);
    expect(await lines("2026-11-02T07:00:00Z")).toBe(0);
  },
);

it.each(["oldest", "newest"])(
  "%s first: a walk resumed days later loads records that have begun meanwhile",
  async (order) => {
    const list = plays(130);
    let isDown = false;
    const { begin, walk, found } = await servePages((request) => {
      if (isDown && request.offset > 0) return 403;
      const listed = order === "oldest" ? list : list.toReversed();
      return { data: slice(listed, request), total: listed.length };
    });
    const walkAt = (now: string) => {
      const context = begin();
      context.clock.now = () => new Date(now);
      return walk(context);
    };
    isDown = true;
    await expect(walkAt("2026-10-01T07:00:00Z")).rejects.toThrow("403");
    isDown = false;
    list.push(...plays(9, 1300));
    const taken = await walkAt("2026-10-04T07:00:00Z");
    expect(taken).toMatchObject({ pages: 6, landing: { requestedAt: new Date("2026-10-04T07:00:00Z") } });
    expect(found.size).toBe(139);
    expect((await walkAt("2026-10-05T07:00:00Z")).pages).toBe(1);
  },
);

it.each(["oldest", "newest"])("%s first: an empty response hides no new records", async (order) => {
  const list = plays(100);
  let empty = 0;
  const { walk, found } = await servePages((request) => {
    const listed = order === "oldest" ? list : list.toReversed();
    return { data: empty-- > 0 ? [] : slice(listed, request), total: listed.length };
  });
  await walk();
  for (const answers of [1, 2]) {
    list.push(...plays(30, list.length));
    empty = answers;
    expect((await walk()).why).toBeUndefined();
    expect(sorted(found)).toEqual(Array.from(list, (_, number) => number));
  }
});

it("newest first: a walk resumed after many pages arrived continues where it stopped", async () => {
  let listed = plays(600).reverse();
  let isDown = true;
  const { walk, found } = await servePages((request) => {
    if (isDown && request.offset > 200) return 403;
    return { data: slice(listed, request), total: listed.length };
  });
  await expect(walk()).rejects.toThrow("403");
  isDown = false;
  // Some are late, so they are deeper in the list.
  const late = plays(15, 10_000).map((one, index) => ({
    ...one,
    play_start: play(9 * index + 5).play_start,
  }));
  listed = [...plays(300, 600).reverse(), ...listed, ...late].sort((left, right) =>
    String(right.play_start).localeCompare(String(left.play_start)),
  );
  const { why, requests } = await walk();
  expect(why).toBeUndefined();
  expect(requests).toBe(51);
  expect(found.size).toBe(915);
  expect((await walk()).pages).toBe(1);
});
