import { expect, it } from "vitest";
import { joinPage, overlapOf } from "../../../src/extract/walk/walk-join.ts";
import type { SeenOrder } from "../../../src/extract/walk/walk-order.ts";

const startsAt = "abcdefghijklmnop";

/** Records named by letters that began one after the other; digits tell apart those that began at one instant. */
function records(names: string) {
  return names
    .split(" ")
    .filter((name) => name !== "")
    .map((name) => ({
      identity: name,
      line: name,
      isPlay: !name.startsWith("?"),
      hash: [...name].reduce((hash, letter) => hash * 1000 + letter.charCodeAt(0), 0),
      instantMs: name.startsWith("?") ? Number.NaN : startsAt.indexOf(name.charAt(0)),
    }));
}

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
  ["more than are kept", 50, 50, 1000, undefined],
  ["pages of one record", 1, 1, 1, undefined],
])("records to be read once more: %s", (_label, kept, run, largestPage, overlap) => {
  expect(overlapOf({ tail: Array(kept).fill(1), run, largestPage })).toBe(overlap);
});
