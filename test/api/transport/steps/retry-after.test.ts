import { expect, it } from "vitest";
import { retryAfterMs } from "../../../../src/api/transport/steps/retry-after.ts";

const serverDate = "Sat, 21 Nov 2026 10:00:00 GMT";

it.each([
  ["seconds", "7", 7_000],
  ["parts of a second", "0.5", 500],
  ["nothing", "0", 0],
  ["blanks around", " 7 ", 7_000],
  ["a date", "Sat, 21 Nov 2026 10:00:30 GMT", 30_000],
  ["a date in the old form", "Saturday, 21-Nov-26 10:00:30 GMT", 30_000],
  ["a date that has passed", "Sat, 21 Nov 2026 09:00:00 GMT", 0],
  ["a year, in seconds: bounded", "31536000", 300_000],
  ["a year, as a date: bounded", "Sun, 21 Nov 2027 10:00:00 GMT", 300_000],
  ["negative", "-5", undefined],
  ["empty", "", undefined],
  ["words", "soon", undefined],
  ["a date that is none", "Sat, 41 Nov 2026 10:00:00 GMT", undefined],
  ["several: the first", ["3", "9"], 3_000],
  ["absent", undefined, undefined],
])("Retry-After: %s", (_label, header, delayMs) => {
  expect(retryAfterMs(header, serverDate)).toBe(delayMs);
});

it("takes a date against our clock when the answer has none", () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString();
  expect(retryAfterMs(inAMinute, undefined)).toBeGreaterThan(50_000);
});
