import { expect, it } from "vitest";
import { closestWord } from "../../../src/util/text/closest-word.ts";

it.each([
  ["wek", "week"],
  ["zoen", "zone"],
  ["ZONE", "zone"],
  ["locaton", "location"],
  ["dte", "date"],
  ["campaign", undefined],
  ["", undefined],
])("%s → %s", (typed, word) => {
  expect(closestWord(typed, ["zone", "week", "location", "date"])).toBe(word);
});
