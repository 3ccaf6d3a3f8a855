import { expect, it } from "vitest";
import { parseContentRange } from "../../../src/api/read-until-break.ts";

it.each([
  ["bytes 5-9/10", { start: 5, total: 10 }],
  ["bytes 5-9/*", { start: 5, total: undefined }],
  ["bytes */10", { start: undefined, total: 10 }],
  ["BYTES 5-9/10", { start: 5, total: 10 }],
  ["bytes 5-/10", undefined],
  ["items 5-9/10", undefined],
  ["", undefined],
  [undefined, undefined],
])("%s", (header, expected) => {
  expect(parseContentRange(header)).toEqual(expected);
});
