import { expect, it } from "vitest";
import { describeSeconds } from "../../../src/util/text/words.ts";

it.each([
  [0, "0 s"],
  [0.2, "1 s"],
  [99.9, "100 s"],
  [121, "2 min"],
  [151, "3 min"],
  [5999, "100 min"],
  [6000, "1.7 h"],
  [360_000, "4.2 days"],
])("%d seconds are %s", (seconds, text) => {
  expect(describeSeconds(seconds)).toBe(text);
});
