import { describe, expect, it } from "vitest";
import {
  addRecords,
  beginNextPass,
  beginWalk,
  knownOverlap,
  noteAhead,
  tailOf,
  tailRecords,
  type WalkProgress,
} from "../../../src/extract/walk/walk-progress.ts";
import type { WalkState } from "../../../src/state/data/walks.ts";
import { knownZone } from "./known-zone.ts";
import { hashesOf, namedRecords } from "./named-records.ts";

const hourMs = 3_600_000;
const now = new Date("2026-11-20T12:00:00Z");
const later = new Date("2026-11-20T13:00:00Z");
const inHours = (hours: number) => new Date(now.getTime() + hours * hourMs);

const sorted: Partial<WalkState> = {
  order: "oldest",
  knownTotal: 1000,
  pageSize: 100,
  completedAt: inHours(-24),
};

it.each<[number | undefined, number | undefined, number]>([
  [undefined, undefined, 25],
  [1000, undefined, 50],
  [60, undefined, 30],
  [61, undefined, 30],
  [3, undefined, 2],
  [1, undefined, 2],
  [60, 40, 42],
  [60, 5, 30],
])(
  "of pages of %s records, with %s that are due, as many known ones are read again as %d",
  (pageSize, due, overlap) => {
    expect(knownOverlap(pageSize, due === undefined ? undefined : { from: now, records: due })).toBe(overlap);
  },
);

describe("a walk begins", () => {
  it.each<[string, Partial<WalkState>]>([
    ["nothing is known", {}],
    ["it was in no order", { ...sorted, order: "unsorted" }],
    ["its order is not known", { ...sorted, order: undefined }],
    ["its total is not known", { ...sorted, knownTotal: undefined }],
    ["it was empty", { ...sorted, knownTotal: 0 }],
  ])("with all of the zone where %s", (_label, known) => {
    const begun = beginWalk(knownZone({ ...known, ahead: { from: inHours(30), records: 2 } }), now);
    expect(begun).toMatchObject({ pass: "whole", order: "same", isSince: false, offset: 0, knownTotal: 0 });
    expect(begun).toMatchObject({
      largestPage: 0,
      ahead: null,
      dueFromMs: null,
      requestedAt: now.toISOString(),
    });
  });

  it("oldest first, some records before the end that is known", () => {
    const begun = beginWalk(knownZone(sorted), now);
    expect(begun).toMatchObject({ pass: "since", order: "oldest", isSince: true, knownTotal: 1000 });
    expect(begun).toMatchObject({ offset: 950, largestPage: 100, knownAt: inHours(-24).toISOString() });
    expect(beginWalk(knownZone({ ...sorted, knownTotal: 20 }), now).offset).toBe(0);
  });

  it("newest first, with the newest", () => {
    expect(beginWalk(knownZone({ ...sorted, order: "newest" }), now)).toMatchObject({
      pass: "since",
      order: "newest",
      offset: 0,
    });
  });

  it("without a largest page where all was one page, which may have been short", () => {
    expect(beginWalk(knownZone({ ...sorted, knownTotal: 100 }), now).largestPage).toBe(0);
    expect(beginWalk(knownZone({ ...sorted, knownTotal: 101 }), now).largestPage).toBe(100);
  });

  it("with what is ahead of its time, or with what no longer is", () => {
    const ahead = (hours: number) =>
      beginWalk(knownZone({ ...sorted, ahead: { from: inHours(hours), records: 60 } }), now);
    expect(ahead(25)).toMatchObject({
      ahead: { fromMs: inHours(25).getTime(), records: 60 },
      dueFromMs: null,
    });
    expect(ahead(24)).toMatchObject({ ahead: null, dueFromMs: inHours(24).getTime() });
    expect([ahead(25).offset, ahead(24).offset]).toEqual([950, 938]);
  });
});

describe("a further pass", () => {
  const read = (change: Partial<WalkProgress> = {}): WalkProgress => {
    const progress = beginWalk(knownZone(), now);
    addRecords(progress, namedRecords("a b c"));
    const ahead = { fromMs: 5, records: 1 };
    return Object.assign(progress, { largestPage: 10, isMoved: true, ahead, dueFromMs: 7, ...change });
  };

  it("of what came in meanwhile keeps what the passes before found", () => {
    const progress = read();
    const { sequence } = progress;
    beginNextPass(progress, "since", "newest", 3, later);
    expect(progress).toMatchObject({ pass: "since", order: "newest", knownTotal: 3, passes: 1, offset: 0 });
    expect(progress).toMatchObject({ isMoved: true, ahead: { fromMs: 5, records: 1 }, dueFromMs: null });
    expect(progress).toMatchObject({ knownAt: now.toISOString(), requestedAt: later.toISOString() });
    expect(progress).toMatchObject({ sequenceBefore: sequence, sequence: 0, records: 0, pages: 0, tail: [] });
    beginNextPass(progress, "since", "newest", 4, inHours(2));
    expect(progress).toMatchObject({ passes: 2, knownAt: now.toISOString() });
  });

  it("of all of it counts anew", () => {
    const progress = read();
    beginNextPass(progress, "whole", "same", 0, later);
    expect(progress).toMatchObject({ pass: "whole", isMoved: false, ahead: null, knownAt: null, head: [] });
  });

  it("is compared with no pass whose order proved nothing", () => {
    const progress = read({ doubt: "too many" });
    beginNextPass(progress, "whole", "same", 0, later);
    expect(progress).toMatchObject({ sequenceBefore: null, doubt: null });
  });
});

it("records that are ahead are counted by the pass, and remembered by the walk", () => {
  const progress = beginWalk(knownZone(), now);
  const at = (...hours: number[]) =>
    namedRecords(hours.map((_, index) => "abc".charAt(index)).join(" ")).map((one, index) => ({
      ...one,
      instantMs: inHours(hours[index] ?? 0).getTime(),
    }));
  noteAhead(progress, at(-1, 24));
  expect(progress.ahead).toBeNull();
  noteAhead(progress, at(23, 40, 30));
  expect(progress.ahead).toEqual({ fromMs: inHours(30).getTime(), records: 2 });
  noteAhead(progress, at(50));
  expect(progress.ahead).toEqual({ fromMs: inHours(30).getTime(), records: 3 });
  noteAhead(progress, at(26));
  expect(progress.ahead).toEqual({ fromMs: inHours(26).getTime(), records: 4 });
  beginNextPass(progress, "since", "newest", 3, now);
  noteAhead(progress, at(27));
  expect(progress.ahead).toEqual({ fromMs: inHours(26).getTime(), records: 4 });
});

it.each<[string, number, number | null, number]>([
  ["", 0, null, 0],
  ["a b c", 1, 2, 0],
  ["a b0 b1", 2, 1, 0],
  ["a b ?", 2, 1, 1],
  ["a b ? ??", 3, 1, 2],
  ["a ? b", 2, 1, 0],
  ["a ? b0 b1", 3, 1, 0],
  ["? ??", 2, null, 2],
  ["a0 ? a1", 3, 0, 0],
])("of %j, %d may have begun together at %s, %d without an instant", (names, run, lastInstantMs, undated) => {
  expect(tailOf(namedRecords(names))).toEqual({ tail: hashesOf(names), run, lastInstantMs, undated });
  // Page by page as at once.
  const each = names.split(" ").reduce((before, name) => tailOf(namedRecords(name), before), tailOf([]));
  expect(each).toEqual(tailOf(namedRecords(names)));
});

it("the last records alone are kept, and all are counted", () => {
  const progress = beginWalk(knownZone(), now);
  const many = Array.from({ length: tailRecords + 5 }, (_, index) => ({
    ...namedRecords("a")[0],
    hash: index,
  })) as ReturnType<typeof namedRecords>;
  addRecords(progress, many.slice(0, 20));
  addRecords(progress, many.slice(20));
  expect(progress).toMatchObject({ records: 55, pages: 2, run: 55 });
  expect(progress.tail).toEqual(many.slice(5).map(({ hash }) => hash));
});
