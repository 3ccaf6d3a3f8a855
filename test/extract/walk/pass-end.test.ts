import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { DistinctLines } from "../../../src/extract/walk/distinct-lines.ts";
import { PassEnd } from "../../../src/extract/walk/pass-end.ts";
import { WalkFile } from "../../../src/extract/walk/walk-file.ts";
import { beginWalk, type WalkProgress } from "../../../src/extract/walk/walk-progress.ts";
import type { WalkState } from "../../../src/state/data/walks.ts";
import { createClock } from "../../../src/util/clock.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { knownZone } from "./known-zone.ts";

const now = new Date("2026-11-20T12:00:00Z");

/** A pass that read 10 records to the end, in order, and found nothing odd; but for what is said. */
async function judge(
  change: Partial<WalkProgress>,
  { known = {}, different = 10 }: { known?: Partial<WalkState>; different?: number } = {},
) {
  const file = await WalkFile.open(join(createTempFolder(), "walk.jsonl"), 0);
  if (!file) throw new Error("an empty file can't lack anything");
  onTestFinished(() => file.close());
  file.append(
    Array.from({ length: different }, (_, index) =>
      JSON.stringify({ song_id: index, play_start: "2026-11-20T08:00:00Z" }),
    ),
  );
  const state = knownZone(known);
  const progress: WalkProgress = {
    ...beginWalk(state, now),
    ...{ order: "oldest", pass: "whole", total: 10, startTotal: 10, records: 10, offset: 10, pages: 3 },
    ...{ tail: [8, 9], head: [0, 1], isRead: true, sequence: 5 },
    ...change,
  };
  const end = await new PassEnd(progress, new DistinctLines("music", file), createClock(now), state).judge();
  return { end, progress };
}

const complete = (knownTotal: number | undefined, top: number[] = [8, 9], surplus = 0) => ({
  isComplete: true,
  knownTotal,
  top,
  surplus,
});
const incomplete = (why: string) => ({ isComplete: false, why });

describe("of a zone that is listed oldest first", () => {
  it.each<[string, Partial<WalkProgress>, object]>([
    ["all is complete", {}, complete(10)],
    ["what came in at the end, too", { total: 12, offset: 12, records: 12 }, complete(12)],
    ["nothing is known of places that moved", { isMoved: true }, complete(undefined)],
    ["more is read than is counted", { offset: 11, records: 11 }, complete(undefined)],
    [
      "less is read than was counted at first",
      { records: 9, offset: 9 },
      incomplete("the service counts 10 records, but lists 9"),
    ],
    [
      "what came in at the end is not read",
      { total: 12, offset: 11, records: 11 },
      incomplete("the service counts 12 records, but lists 11"),
    ],
    ["what went since the beginning is not missed", { total: 9, offset: 9, records: 9 }, complete(9)],
    [
      "what is new is not read to the end",
      { pass: "since", records: 3, offset: 9 },
      incomplete("the service counts 10 records, but lists 9"),
    ],
    ["what is new is read to the end", { pass: "since", records: 3 }, complete(10)],
  ])("%s", async (_label, change, expected) => {
    expect((await judge(change)).end).toEqual(expected);
  });
});

describe("of a zone that is listed newest first", () => {
  const newest = { order: "newest", pass: "since" } as const;
  /** Not looked at the end. */
  const agreed = (knownTotal: number | undefined) => ({ isComplete: true, knownTotal, top: [0, 1] });

  it.each<[string, Partial<WalkProgress>, object]>([
    ["all is complete", { pass: "whole" }, complete(10, [0, 1])],
    ["what agrees with what is known is complete", { records: 3, offset: 3, isAgreed: true }, agreed(10)],
    [
      "what agrees with nothing has to be all",
      { records: 9 },
      incomplete("the service counts 10 records, but lists 9"),
    ],
    [
      "more than is counted can't be built upon",
      { pass: "whole", records: 11, offset: 11 },
      complete(undefined, [0, 1]),
    ],
    [
      "places that moved can't be built upon",
      { records: 3, isAgreed: true, isMoved: true },
      agreed(undefined),
    ],
  ])("%s", async (_label, change, expected) => {
    expect((await judge({ ...newest, ...change })).end).toEqual(expected);
  });

  it("what came in meanwhile is read by a further pass, four times at most", async () => {
    const { end, progress } = await judge({ ...newest, pass: "whole", total: 12, records: 12, offset: 12 });
    expect(end).toBeUndefined();
    expect(progress).toMatchObject({
      pass: "since",
      order: "newest",
      knownTotal: 10,
      passes: 1,
      isRead: false,
    });
    const grown = { ...newest, isAgreed: true, records: 2, total: 12 };
    expect((await judge({ ...grown, passes: 3 })).end).toBeUndefined();
    expect((await judge({ ...grown, passes: 4 })).end).toMatchObject({ isComplete: true, knownTotal: 10 });
  });
});

describe("of a zone in no order", () => {
  const unsorted = { order: "unsorted" } as const;
  const shuffled = "the service lists records in another order with each request: of 10 it showed 9";

  it("as many different records as are counted are all", async () => {
    expect((await judge(unsorted)).end).toEqual(complete(undefined, []));
  });

  it("one page is all that one request could show", async () => {
    expect((await judge({ ...unsorted, pages: 1 }, { different: 9 })).end).toEqual(complete(undefined, []));
    const { end, progress } = await judge({ ...unsorted, pages: 2 }, { different: 9 });
    expect([end, progress.passes, progress.pass]).toEqual([undefined, 1, "whole"]);
  });

  it("fewer are all where they came in the same order once more", async () => {
    const again = { ...unsorted, passes: 1, sequenceBefore: 5 };
    expect((await judge(again, { different: 9 })).end).toEqual(complete(undefined, []));
    expect((await judge({ ...again, sequence: 6 }, { different: 9 })).end).toBeUndefined();
    const { end } = await judge({ ...again, passes: 4, sequence: 6 }, { different: 9 });
    expect(end).toEqual(incomplete(shuffled));
    expect((await judge({ ...again, passes: 3, sequence: 6 }, { different: 9 })).end).toBeUndefined();
  });

  it("it is read once more because records came in, where that is cheap", async () => {
    const grown = { ...unsorted, total: 11, records: 11, offset: 11 };
    expect((await judge(grown, { different: 11 })).end).toBeUndefined();
    expect((await judge({ ...grown, passes: 1 }, { different: 11 })).end).toEqual(complete(undefined, []));
    const many = { ...unsorted, startTotal: 10_001, total: 10_002, records: 10_002, sequenceBefore: 5 };
    expect((await judge(many)).end).toEqual(complete(undefined, []));
    const cheap = { ...many, startTotal: 10_000 };
    expect((await judge(cheap)).end).toBeUndefined();
  });
});

describe("where the order of pages proves nothing", () => {
  const doubt = "more records began at one instant than one page shows";

  it("all has to be different that was counted at any time", async () => {
    expect((await judge({ doubt })).end).toEqual(complete(undefined, []));
    const grown = { doubt, passes: 1, total: 11, records: 11, offset: 11 };
    expect((await judge(grown, { different: 10 })).end).toBeUndefined();
    expect((await judge(grown, { different: 11 })).end).toEqual(complete(undefined, []));
  });

  it("neither one page nor the same order says that it is all", async () => {
    const less = { different: 9 };
    expect((await judge({ doubt, pages: 1 }, less)).end).toBeUndefined();
    expect((await judge({ doubt, sequenceBefore: 5 }, less)).end).toBeUndefined();
    const { end } = await judge({ doubt, passes: 4 }, less);
    expect(end).toEqual(incomplete(`${doubt}: of 10 it showed 9`));
  });
});

describe("where one record more is counted than is listed", () => {
  const surplus = { surplus: 1, records: 9, offset: 9 };
  const missing = { ...incomplete("the service counts 10 records, but lists 9"), surplus: 1 };
  const note = "the service counts 10 records, but lists 9, as it did in the walk before";
  const believed = { known: { surplus: 1 } };

  it("the first walk that sees it is not complete, the second one is, with a note", async () => {
    expect((await judge(surplus)).end).toEqual(missing);
    expect((await judge(surplus, believed)).end).toEqual({ ...complete(9, [8, 9], 1), note });
    const newest = { ...surplus, order: "newest" } as const;
    expect((await judge(newest, believed)).end).toEqual({ ...complete(10, [0, 1], 1), note });
  });

  it("of what is new alone, too", async () => {
    expect((await judge({ ...surplus, pass: "since", records: 2 }, believed)).end).toMatchObject({ note });
    expect((await judge({ ...surplus, pass: "since", order: "newest", records: 2 }, believed)).end).toEqual(
      incomplete("the service counts 10 records, but lists 2"),
    );
  });

  it.each<[string, Partial<WalkProgress>]>([
    ["more are missing", { records: 8, offset: 8 }],
    ["fewer were read than the pages reach", { records: 8 }],
    ["the pages end elsewhere", { offset: 8 }],
    ["records went", { isMoved: true }],
    ["the total changed", { startTotal: 11 }],
  ])("it is not believed where %s", async (_label, change) => {
    const { end } = await judge({ ...surplus, ...change }, believed);
    expect(end).toMatchObject({ isComplete: false });
    expect(end).not.toHaveProperty("surplus");
  });

  it("what agreed with the walk before keeps what that walk saw", async () => {
    const agreed = { order: "newest", pass: "since", isAgreed: true, records: 2, offset: 2 } as const;
    expect((await judge({ ...agreed, surplus: 1 }, believed)).end).toMatchObject({ surplus: 1, note });
    expect((await judge(agreed)).end).toEqual({ isComplete: true, knownTotal: 10, top: [0, 1] });
  });
});

it("a zone that shows nothing where it had records is not complete", async () => {
  const empty = {
    total: 0,
    startTotal: 0,
    records: 0,
    offset: 0,
    order: "same",
    tail: [],
    head: [],
  } as const;
  const change = { ...empty, tail: [], head: [] };
  const why = "the service lists no records, where it listed 4 before";
  expect((await judge(change, { known: { knownTotal: 4 } })).end).toEqual(incomplete(why));
  expect((await judge(change)).end).toMatchObject({ isComplete: true, knownTotal: undefined });
  const shown = { ...change, records: 1, offset: 1 };
  expect((await judge(shown, { known: { knownTotal: 4 } })).end).toMatchObject({ isComplete: true });
  expect((await judge({ ...change, total: 2, startTotal: 2 }, { known: { knownTotal: 4 } })).end).toEqual(
    incomplete("the service counts 2 records, but lists 0"),
  );
});
