import { expect, it } from "vitest";
import { listWords } from "../../../src/report/text/people-text.ts";

it.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
  [["a", "b", "c", "d", "e"], "a, b, c and 2 more"],
])("lists %j as %s", (words, text) => {
  expect(listWords(words, "and", 3)).toBe(text);
});
