import { expect, it } from "vitest";
import { joinPage, overlapOf } from "../../../src/extract/walk/walk-join.ts";
import type { SeenOrder } from "../../../src/extract/walk/walk-record.ts";
import { namedRecords as records } from "./named-records.ts";

function before(order: SeenOrder, names: string, run = 1) {
  const tail = records(names);
  const lastInstantMs = tail.findLast(({ instantMs }) => !Number.isNaN(instantMs))?.instantMs ?? null;
  return { order, tail: tail.map(({ hash }) => hash), run, lastInstantMs };
}

/** `undefined`: records may lie between; `look from x`: none is fresh, and x is the first record of the next look. */
function freshOf(joint: ReturnType<typeof joinPage>, page: string): string | undefined {
  if (!joint || joint.fresh.length > 0) return joint?.fresh.map(({ line }) => line).join(" ");
  return `look from ${page.split(" ")[joint.lookFrom]}`;
}

it.each<[string, string, string | undefined]>([
  ["nothing came in", "e f g", "f g"],
  ["one came in before", "d e f", "f"],
  ["one came in at the place itself", "d e0 e f", "e0 f"],
  ["more came in before than a page holds", "a b c", "look from c"],
  ["as many came in before as a page holds", "c d e", "look from d"],
  ["some were taken away", "g h i", undefined],
  ["the last one alone was taken away", "d f g", "f g"],
  ["no records although there should be", "", undefined],
  ["it begins among those of one instant", "e0 e f", undefined],
  ["some tell no instant", "d ? e ?? f", "?? f"],
  ["a page in no order", "d e b f", "b f"],
])("oldest first: %s", (_label, page, fresh) => {
  const joint = joinPage(before("oldest", "a b c d e"), { records: records(page), offset: 4 }, 1);
  expect(freshOf(joint, page)).toBe(fresh);
});

it.each<[string, string, string | undefined]>([
  ["nothing came in", "b a", "a"],
  ["one came in before", "c b a", "a"],
  ["a page in reverse order", "a b", undefined],
])("newest first: %s", (_label, page, fresh) => {
  const joint = joinPage(before("newest", "d c b"), { records: records(page), offset: 2 }, 1);
  expect(freshOf(joint, page)).toBe(fresh);
});

it.each<[string, string, string | undefined]>([
  ["in the same order", "d e1 e2 e3 f", "e3 f"],
  ["in another order", "d e3 e1 e2 f", "e3 f"],
  ["one twice, as the service holds it", "d e1 e1 e2 f", "e1 f"],
  ["some that a page before showed went", "d e3 f", "e3 f"],
  ["some tell no instant", "c ?? d ? e1 e2 f", "? f"],
  ["it begins among them, in another order", "e1 e3 e2 f", undefined],
  ["it ends among them", "b c d e2 e1", "look from d"],
])("records that began at one instant: %s", (_label, page, fresh) => {
  const joint = joinPage(before("oldest", "c d e1 e2", 2), { records: records(page), offset: 3 }, 3);
  expect(freshOf(joint, page)).toBe(fresh);
});

it.each<[string, string, string | undefined]>([
  ["where it was expected", "b x y", "x y"],
  ["one came in before", "d b x", "x"],
  ["read again from further up", "a c d b x", "x"],
  ["nowhere", "x y z", undefined],
  ["after three in a row", "x a c d b y", "y"],
  ["two in a row alone, among others", "x d b y", undefined],
  ["all that was read", "f a c d b", "look from f"],
  ["the end of what was read, and no more", "c d b", "look from c"],
])("without an order: %s", (_label, page, fresh) => {
  const joint = joinPage(before("unsorted", "f a c d b"), { records: records(page), offset: 4 }, 1);
  expect(freshOf(joint, page)).toBe(fresh);
});

it.each<[string, number, number, number, number | undefined]>([
  ["nothing read yet", 0, 0, 0, 0],
  ["the last one", 50, 1, 100, 1],
  ["those of one instant, and the one before", 50, 3, 100, 4],
  ["all that was read", 3, 3, 100, 3],
  ["more than half a page", 50, 20, 25, undefined],
  ["just half a page", 50, 9, 20, undefined],
  ["just less than half a page", 50, 9, 21, 10],
  ["all that was read, of pages of two", 1, 1, 2, 1],
  ["more than are kept", 50, 50, 1000, undefined],
  ["as many as are kept, and the one before", 50, 49, 1000, 50],
  ["pages of one record", 1, 1, 1, undefined],
])("records to be read once more: %s", (_label, kept, run, largestPage, overlap) => {
  expect(overlapOf({ tail: Array(kept).fill(1), run, largestPage })).toBe(overlap);
});

it.each<[string, string, string, string | undefined]>([
  ["the two that were read", "b a", "x b a y", "y"],
  ["one of the two that were read", "b a", "x a y", undefined],
  ["the only one that was read", "a", "x a y", "y"],
  ["all that was read, and more", "b a", "b a y", "y"],
])("without an order, of a short beginning: it shows %s", (_label, read, page, fresh) => {
  const joint = joinPage(before("unsorted", read), { records: records(page), offset: 2 }, 1);
  expect(freshOf(joint, page)).toBe(fresh);
});

it("a page after nothing, or that need not overlap, is new as it is", () => {
  const page = { records: records("b a c"), offset: 4 };
  expect(freshOf(joinPage(before("same", ""), page, 1), "b a c")).toBe("b a c");
  expect(freshOf(joinPage(before("oldest", "a b c"), page, 0), "b a c")).toBe("b a c");
  expect(joinPage(before("same", ""), { records: [], offset: 0 }, 1)).toEqual({ fresh: [], lookFrom: 0 });
});

it.each<[string, string, string | undefined]>([
  ["oldest first", "a b1 b2 c", "b2 c"],
  ["newest first", "c b1 b2 a", "b2 a"],
  ["in no order", "c b2 d b1 e", "e"],
])("where no order was seen before, a page tells it: %s", (_label, page, fresh) => {
  const joint = joinPage(before("same", "b1", 1), { records: records(page), offset: 1 }, 1);
  expect(freshOf(joint, page)).toBe(fresh);
});

it.each<[string, number, string | undefined]>([
  ["b c", 0, "c"],
  ["b c", 1, undefined],
  ["? c", 1, undefined],
  ["? ??", 0, "look from ??"],
])(
  "a page %j at offset %d has to begin before what was read, unless it is the first",
  (page, offset, fresh) => {
    const joint = joinPage(before("oldest", "a b0 b", 2), { records: records(page), offset }, 3);
    expect(freshOf(joint, page)).toBe(fresh);
  },
);

it.each<[string, string | undefined]>([
  ["c ? e1 e2 f", "? f"],
  ["c ? ?? e1 e2 f", "? ?? f"],
  ["c d ??? e1 e2 f", "f"],
  ["c ? d e1 e2 f", "f"],
])("of those that tell no instant before records of one instant, unknown ones are new: %s", (page, fresh) => {
  const joint = joinPage(before("oldest", "c ??? e1 e2", 3), { records: records(page), offset: 3 }, 4);
  expect(freshOf(joint, page)).toBe(fresh);
});
