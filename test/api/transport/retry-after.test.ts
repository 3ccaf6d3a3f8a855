import { expect, it, onTestFinished, vi } from "vitest";
import { parseRetryAfter } from "../../../src/api/transport/retry.ts";

const serverDate = "Sat, 21 Nov 2026 10:00:00 GMT";

it.each([
  ["seconds", "7", 7_000],
  ["fractions of a second", "0.5", 500],
  ["nothing", "0", 0],
  ["surrounding blanks", " 7 ", 7_000],
  ["a date", "Sat, 21 Nov 2026 10:00:30 GMT", 30_000],
  ["a date in the obsolete format", "Saturday, 21-Nov-26 10:00:30 GMT", 30_000],
  ["a past date", "Sat, 21 Nov 2026 09:00:00 GMT", 0],
  ["a year, in seconds: bounded", "31536000", 300_000],
  ["a year, as a date: bounded", "Sun, 21 Nov 2027 10:00:00 GMT", 300_000],
  ["negative", "-5", undefined],
  ["empty", "", undefined],
  ["words", "soon", undefined],
  ["an invalid date", "Sat, 41 Nov 2026 10:00:00 GMT", undefined],
  ["several: the first", ["3", "9"], 3_000],
  ["absent", undefined, undefined],
])("Retry-After: %s", (_label, header, delayMs) => {
  expect(parseRetryAfter(header, serverDate)).toBe(delayMs);
});

it.each([
  ["asctime", "Sat Nov 21 10:00:30 2026"],
  ["asctime, early in a month", "Sun Nov  1 10:00:30 2026", "Sun, 01 Nov 2026 10:00:00 GMT"],
  ["a date without a time zone", "Sat, 21 Nov 2026 10:00:30"],
  ["a date in another time zone", "Sat, 21 Nov 2026 05:00:30 -0500"],
])("reads all date formats as GMT in any time zone: %s", (_label, header, date = serverDate) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const timeZone of ["UTC", "Europe/Berlin", "America/New_York"]) {
    vi.stubEnv("TZ", timeZone);
    expect(parseRetryAfter(header, date), timeZone).toBe(30_000);
  }
});

it("compares a date with the local clock if the response has none", () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString();
  expect(parseRetryAfter(inAMinute, undefined)).toBeGreaterThan(50_000);
});
