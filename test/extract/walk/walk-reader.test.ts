import { describe, expect, it } from "vitest";
import { WalkPager } from "../../../src/extract/walk/walk-pager.ts";
import { addRecords, beginWalk, type WalkProgress } from "../../../src/extract/walk/walk-progress.ts";
import { rereadLimit, WalkReader } from "../../../src/extract/walk/walk-reader.ts";
import type { WalkRecord } from "../../../src/extract/walk/walk-record.ts";
import type { WalkState } from "../../../src/state/data/walks.ts";
import { knownZone } from "./known-zone.ts";
import { clamp, numbersOf, type Play, shuffled, slice } from "./page-lists.ts";
import { type PageAnswer, type PageRequest, play, plays, servePages } from "./page-server.ts";

interface Given {
  /** What the pages before showed: the first records of the list. */
  read?: number;
  progress?: Partial<WalkProgress>;
  state?: Partial<WalkState>;
  /** More than there are. */
  counted?: number;
}

/** A reader of a list that a service shows in pages of 25 records at most, which has read a part of it. */
async function readerOf(list: readonly Play[], { read = 0, counted = 0, ...given }: Given = {}) {
  let listed = list;
  let answer = (request: PageRequest): PageAnswer => ({
    data: slice(listed, request),
    total: listed.length + counted,
  });
  const requests: string[] = [];
  const { begin } = await servePages((request) => {
    requests.push(request.limit === 1000 ? `${request.offset}` : `${request.offset} ${request.limit}`);
    return answer(request);
  });
  const state = knownZone(given.state);
  const progress = beginWalk(state, new Date("2026-11-01T00:00:00Z"));
  const reader = new WalkReader(
    progress,
    new WalkPager({ kind: "music", zoneId: 7 }, state, progress, begin()),
  );
  while (progress.offset < read) {
    const { records, offset, total } = await reader.next();
    if (progress.tail.length === 0) progress.head = records.map(({ hash }) => hash);
    addRecords(progress, records);
    Object.assign(progress, { offset: offset + records.length, total });
  }
  Object.assign(progress, given.progress);
  requests.length = 0;
  return {
    reader,
    progress,
    state,
    requests,
    /** From now on the service shows something else. */
    show: (other: readonly Play[]) => (listed = other),
    reply: (other: typeof answer) => (answer = other),
  };
}

/** Numbers of plays, as the first and the last of them. */
function spanOf(records: readonly WalkRecord[]): string {
  const numbers = records.map(({ line }) => JSON.parse(line).song_id);
  return numbers.length === 0 ? "none" : `${numbers[0]} to ${numbers.at(-1)}`;
}

const oldest = plays(60);
const newest = oldest.toReversed();
const anotherOrder = "the service lists records in another order with each request";

describe("the next page", () => {
  it("begins with the last record of the one before", async () => {
    const { reader, requests, progress } = await readerOf(oldest, { read: 25 });
    const { records, ...rest } = await reader.next();
    expect(rest).toEqual({ offset: 25, total: 60, shifted: 0, isLast: false });
    expect([spanOf(records), requests, progress.rereads]).toEqual(["25 to 48", ["24"], 0]);
  });

  it("is the last one where nothing is counted behind it", async () => {
    const { reader, requests, progress } = await readerOf(oldest, { read: 49 });
    expect(await reader.next()).toMatchObject({ offset: 49, isLast: true });
    expect(requests).toEqual(["48"]);
    expect(progress.requests).toBe(3);
  });

  it.each<[string, readonly Play[], readonly Play[], number]>([
    ["came in before it", newest, [...plays(3, 60).toReversed(), ...newest], 3],
    ["were taken from before it", newest, newest.slice(5), -5],
    ["were taken from before it, oldest first", oldest, oldest.slice(5), -5],
  ])("tells how many records %s", async (_label, before, after, shifted) => {
    const { reader, show } = await readerOf(before, { read: 25 });
    show(after);
    const fresh = await reader.next();
    expect(fresh.shifted).toBe(shifted);
    expect(spanOf(fresh.records)).toMatch(new RegExp(`^${before[25]?.song_id} to `));
  });

  it("is asked for again from further up where it does not show what was read", async () => {
    const list = shuffled(oldest, 1);
    const { reader, show, requests, progress } = await readerOf(list, { read: 25 });
    show(list.slice(12));
    const { records, shifted } = await reader.next();
    expect(requests).toEqual(["24", "14", "0"]);
    expect(numbersOf(list.slice(25, 37))).toEqual(
      records.map(({ line }) => JSON.parse(line).song_id).sort((a, b) => a - b),
    );
    expect([shifted, progress.rereads]).toEqual([-12, 2]);
  });

  it("is taken as it is where its order proves nothing any more", async () => {
    const { reader, show, requests } = await readerOf(shuffled(oldest, 1), {
      read: 25,
      progress: { doubt: "before", order: "unsorted" },
    });
    show(shuffled(oldest, 2));
    const { records, ...rest } = await reader.next();
    expect(rest).toEqual({ offset: 24, total: 60, shifted: 0, isLast: false, doubt: anotherOrder });
    expect([records.length, requests]).toEqual([25, ["24"]]);
  });

  it("is asked for again in no order, but without a doubt", async () => {
    const { reader, show, requests } = await readerOf(shuffled(oldest, 1), { read: 25 });
    show(shuffled(oldest, 2));
    expect((await reader.next()).doubt).toBe(anotherOrder);
    expect(requests).toEqual(["24", "14", "0"]);
  });

  it("is asked for again with a doubt, but in an order", async () => {
    const { reader, show, requests } = await readerOf(oldest, { read: 25, progress: { doubt: "before" } });
    show(oldest.slice(5));
    expect(await reader.next()).toMatchObject({ shifted: -5 });
    expect(requests).toEqual(["24", "14"]);
  });

  it("is not asked for again where pages were read again too often", async () => {
    const { reader, show, requests } = await readerOf(shuffled(oldest, 1), {
      read: 25,
      progress: { rereads: rereadLimit },
    });
    show(shuffled(oldest, 2));
    expect(await reader.next()).toMatchObject({ doubt: anotherOrder, isLast: false });
    expect(requests).toEqual(["24"]);
  });

  it("is the last one, in doubt, where nothing is left", async () => {
    const { reader, show, progress } = await readerOf(shuffled(oldest, 1), { read: 25 });
    show([]);
    const doubt = "the service shows no records from offset 24 on";
    expect(await reader.next()).toMatchObject({ records: [], isLast: true, doubt });
    expect(progress.rereads).toBeGreaterThan(0);
  });

  it("is the last one, in doubt, where it is all that is counted", async () => {
    const { reader, show } = await readerOf(shuffled(oldest, 1), { read: 25 });
    show(shuffled(oldest, 2).slice(0, 40));
    expect(await reader.next()).toMatchObject({ isLast: true, doubt: anotherOrder });
  });
});

describe("behind the last record", () => {
  it("a record that is counted, and not listed, is looked for twice", async () => {
    const { reader, requests, progress } = await readerOf(oldest, { read: 60, counted: 1 });
    expect(await reader.next()).toEqual({
      ...{ offset: 60, total: 61, records: [], shifted: 0, isLast: true, surplus: 1 },
    });
    expect(requests).toEqual(["59", "59", "59"]);
    expect(progress.rereads).toBe(2);
  });

  it("more of them make the end doubtful", async () => {
    const { reader, requests } = await readerOf(oldest, { read: 60, counted: 2 });
    const doubt = "the service counts 62 records, but shows none that are new from offset 59 on";
    expect(await reader.next()).toMatchObject({ records: [], isLast: true, doubt });
    expect(requests).toEqual(["59", "59", "59"]);
  });

  it("a page that is read again is not the last one where another one went further", async () => {
    const { reader, reply, requests } = await readerOf(oldest, { read: 25 });
    const pages = [oldest.slice(30, 55), oldest.slice(14, 25)];
    reply((request) => ({ data: pages.shift() ?? slice(oldest, request), total: 0 }));
    const { records, isLast } = await reader.next();
    expect([spanOf(records), isLast]).toEqual(["25 to 47", false]);
    expect(requests.slice(0, 2)).toEqual(["24", "14"]);
  });

  it("one that appears meanwhile is taken", async () => {
    const { reader, reply } = await readerOf(oldest, { read: 60, counted: 1 });
    let looks = 0;
    reply((request) => {
      looks += 1;
      return { data: slice(looks > 1 ? plays(61) : oldest, request), total: 61 };
    });
    const { records, ...rest } = await reader.next();
    expect([spanOf(records), rest.isLast, rest.surplus]).toEqual(["60 to 60", true, undefined]);
  });
});

describe("the first page", () => {
  it.each<[string, Given, string]>([
    ["of a first walk", {}, "0"],
    ["of a further pass", { progress: { passes: 1, largestPage: 25 } }, "0 12"],
    ["of a third pass", { progress: { passes: 2, largestPage: 25 } }, "0"],
    ["of a walk after one that saw a surplus", { state: { surplus: 1, pageSize: 20 } }, "0 10"],
    ["of its further pass", { state: { surplus: 1 }, progress: { passes: 1, largestPage: 25 } }, "0"],
    ["of a further pass over pages of one record", { progress: { passes: 1, largestPage: 1 } }, "0"],
    ["of a further pass of what is new", { progress: { passes: 1, largestPage: 25, pass: "since" } }, "0"],
  ])("%s is asked for as %s", async (_label, given, request) => {
    const { reader, requests } = await readerOf(oldest, given);
    await reader.next();
    expect(requests).toEqual([request]);
  });

  it("tells how large pages are", async () => {
    const { reader, progress, state } = await readerOf(oldest, { state: { pageSize: 30 } });
    await reader.next();
    expect([progress.largestPage, state.pageSize]).toEqual([clamp, 30]);
  });
});

describe("a range of records", () => {
  const range = async (list: readonly Play[], from: number, to: number, given: Given = {}) => {
    const { reader, requests, show, reply } = await readerOf(list, {
      ...given,
      progress: { order: "oldest", largestPage: clamp, ...given.progress },
    });
    const read = async () => {
      const { records, ...rest } = await reader.range(from, to);
      return { span: spanOf(records), count: records.length, ...rest };
    };
    return { read, requests, show, reply };
  };

  it("comes with one request where a page holds it", async () => {
    const { read, requests } = await range(oldest, 10, 30);
    expect(await read()).toEqual({ span: "10 to 29", count: 20, total: 60, areTooMany: false });
    expect(requests).toEqual(["10 20"]);
  });

  it("comes page by page else, each of which shows the end of the one before", async () => {
    const { read, requests } = await range(oldest, 5, 55);
    expect(await read()).toEqual({ span: "5 to 54", count: 50, total: 60, areTooMany: false });
    expect(requests).toEqual(["5 50", "27 28", "49 6"]);
  });

  it("is shorter where there are no more", async () => {
    const { read } = await range(oldest, 50, 70);
    expect(await read()).toMatchObject({ span: "50 to 59", count: 10, areTooMany: false });
  });

  it("is none behind the end", async () => {
    const { read, requests } = await range(oldest, 60, 70);
    expect(await read()).toMatchObject({ span: "none", areTooMany: false });
    expect(requests).toEqual(["60 10"]);
  });

  it("ends where what follows does not fit", async () => {
    const { read, reply } = await range(oldest, 5, 55);
    let requests = 0;
    reply((request) => {
      requests += 1;
      const list = requests === 1 ? oldest : [play(1000, -1000), ...oldest];
      return { data: slice(list, request), total: list.length };
    });
    expect(await read()).toMatchObject({ span: "5 to 29", count: 25, areTooMany: false });
  });

  it("is read over records that began at one instant", async () => {
    const tied = oldest.map((one, index) =>
      index >= 26 && index < 34 ? { ...one, play_start: play(26).play_start } : one,
    );
    const { read, requests } = await range(tied, 5, 55);
    expect(await read()).toMatchObject({ span: "5 to 54", count: 50, areTooMany: false });
    expect(requests.length).toBeLessThanOrEqual(4);
  });

  it("ends where more began at one instant than a page can show", async () => {
    const tied = oldest.map((one, index) =>
      index >= 10 ? { ...one, play_start: play(10).play_start } : one,
    );
    const { read } = await range(tied, 5, 55);
    expect(await read()).toMatchObject({ areTooMany: true });
  });
});
