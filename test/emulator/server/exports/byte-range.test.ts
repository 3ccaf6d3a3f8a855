import { expect, it } from "vitest";
import { parseByteRange } from "../../../../src/emulator/server/exports/download-origin.ts";

it.each([
  ["from the start", "bytes=0-9", { fromByte: 0, toByte: 10 }],
  ["to the end", "bytes=90-", { fromByte: 90, toByte: 100 }],
  ["the last bytes", "bytes=-5", { fromByte: 95, toByte: 100 }],
  ["more than there is", "bytes=90-500", { fromByte: 90, toByte: 100 }],
  ["beyond the end", "bytes=100-", "unsatisfiable"],
  ["no bytes", "bytes=-0", "unsatisfiable"],
  ["backwards", "bytes=9-3", undefined],
  ["several", "bytes=0-1,5-6", undefined],
  ["another unit", "lines=0-1", undefined],
  ["empty", "bytes=-", undefined],
  ["no header", undefined, undefined],
])("%s", (_label, header, range) => {
  expect(parseByteRange(header, 100)).toEqual(range);
});
