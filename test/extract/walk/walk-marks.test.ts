import { expect, it } from "vitest";
import { agreedPlace, extendOrder, marksOf } from "../../../src/extract/walk/walk-record.ts";

/** Records named by letters, the oldest first. */
function records(letters: string) {
  return [...letters].map((identity) => ({
    identity,
    line: identity,
    hash: 0,
    instantMs: identity.charCodeAt(0),
    isPlay: true,
  }));
}

/** Marks of the pages that a walk read, each from a place on. */
function marks(...pages: [string, number][]) {
  return pages
    .flatMap(([letters, from]) => marksOf({ records: records(letters), from }))
    .sort((left, right) => left.place - right.place);
}

it.each<[string, string, number, number | undefined]>([
  ["all as it was", "abcdefgh", 0, 7],
  ["newer ones came in", "defghijk", 3, 7],
  ["a late one lies deeper than the page", "cdefghij", 3, undefined],
  ["a late one lies within the page", "abcdxefgh", 0, 3],
  ["the same line stands beside itself", "hhi", 7, undefined],
  ["nothing to compare with", "xyz", 20, undefined],
  ["the oldest was taken away", "bcdefgh", 0, undefined],
])("%s", (_label, letters, from, agreed) => {
  const known = marks(["abcd", 0], ["efgh", 4]);
  expect(agreedPlace(known, { records: records(letters), from })).toBe(agreed);
});

it("marks stand where an instant begins", () => {
  const instants = [1, 1, 2, 2, 3, 3];
  const tied = instants.map((instantMs, index) => ({ ...records("abcdef")[index], instantMs })) as never;
  expect(marksOf({ records: tied, from: 5 }).map(({ place }) => place)).toEqual([7, 9]);
});

it("marks stand beside records that tell no instant, unless these are alike", () => {
  const among = (letters: string) =>
    records(letters).map((one) => ({ ...one, instantMs: one.identity < "u" ? one.instantMs : Number.NaN }));
  expect(marksOf({ records: among("uvwx"), from: 5 }).map(({ place }) => place)).toEqual([6, 8]);
  expect(marksOf({ records: among("auuu"), from: 5 }).map(({ place }) => place)).toEqual([6]);
  expect(marksOf({ records: among("uuud"), from: 5 }).map(({ place }) => place)).toEqual([8]);
});

it.each([
  [[3, 2, 2, 1], "newest"],
  [[1, 2, 2, 3], "oldest"],
  [[1, 3, 2], "unsorted"],
  [[1, 1], "same"],
  [[], "same"],
  [[3, Number.NaN, 2], "newest"],
])("the order of %j is %s", (instants, order) => {
  expect(extendOrder("same", instants)).toBe(order);
});
