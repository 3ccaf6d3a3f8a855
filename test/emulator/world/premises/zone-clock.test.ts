import { expect, it } from "vitest";
import { findCalendarDay } from "../../../../src/emulator/world/calendar-day.ts";
import { ZoneClock } from "../../../../src/emulator/world/premises/premises.ts";

const day = (text: string) => findCalendarDay(text) ?? Number.NaN;
const clockOf = (timeZone: string) => new ZoneClock(timeZone, day("2026-03-01"), day("2026-11-30"));

it.each([
  ["before the clocks go back", "America/New_York", "2026-11-01T05:59:59Z", -240],
  ["after", "America/New_York", "2026-11-01T06:00:00Z", -300],
  ["before they go forward", "Europe/Berlin", "2026-03-29T00:59:59Z", 60],
  ["after", "Europe/Berlin", "2026-03-29T01:00:00Z", 120],
  ["without summer time", "Asia/Kolkata", "2026-07-01T00:00:00Z", 330],
  ["behind", "America/Los_Angeles", "2026-11-01T09:00:00Z", -480],
])("offset %s: %s at %s", (_label, timeZone, instant, offsetMinutes) => {
  expect(clockOf(timeZone).offsetMinutesAt(Date.parse(instant))).toBe(offsetMinutes);
});

it.each([
  ["an ordinary time", "Europe/Berlin", "2026-10-24", 7 * 60, "2026-10-24T05:00:00Z"],
  ["the first of two", "Europe/Berlin", "2026-10-25", 2.5 * 60, "2026-10-25T00:30:00Z"],
  ["after the night of two hours", "Europe/Berlin", "2026-10-24", 27 * 60, "2026-10-25T02:00:00Z"],
  ["one that is skipped", "Europe/Berlin", "2026-03-29", 2.5 * 60, "2026-03-29T01:30:00Z"],
  ["the end of a night of change", "America/New_York", "2026-10-31", 26 * 60, "2026-11-01T07:00:00Z"],
  ["half an hour off", "Asia/Kolkata", "2026-10-25", 0, "2026-10-24T18:30:00Z"],
])("instant of %s", (_label, timeZone, date, minuteOfDay, instant) => {
  const instantMs = clockOf(timeZone).instantOf(day(date), minuteOfDay);
  expect(new Date(instantMs).toISOString()).toBe(instant.replace("Z", ".000Z"));
});
