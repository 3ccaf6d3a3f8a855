import { expect, it } from "vitest";
import { closestWord } from "../../../src/util/text/words.ts";

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

it("a long text is not compared with thousands of names letter by letter", () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `Alexanderplatz Ground Floor ${index}`);
  const startedAt = performance.now();
  expect(closestWord("x".repeat(2_000), names)).toBeUndefined();
  expect(closestWord("Alexanderplats Ground Flor 77", names)).toBe("Alexanderplatz Ground Floor 77");
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});
