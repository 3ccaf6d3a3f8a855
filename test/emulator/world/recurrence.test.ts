import { expect, it } from "vitest";
import { dateText, findCalendarDay } from "../../../src/emulator/world/calendar-day.ts";
import { occursOn, parseRecurrence } from "../../../src/emulator/world/recurrence.ts";

it.each([
  ["FREQ=DAILY;COUNT=3", "2026-09-30 2026-10-01 2026-10-02"],
  ["RRULE:FREQ=DAILY;INTERVAL=3;UNTIL=20261007T235959Z", "2026-09-30 2026-10-03 2026-10-06"],
  ["FREQ=WEEKLY;COUNT=3", "2026-09-30 2026-10-07 2026-10-14"],
  ["FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261007", "2026-09-30 2026-10-05 2026-10-07"],
  ["FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;COUNT=2", "2026-10-12 2026-10-26"],
  ["FREQ=MONTHLY;COUNT=2", "2026-09-30 2026-10-30"],
  ["FREQ=MONTHLY;BYMONTHDAY=1,-1;COUNT=4", "2026-09-30 2026-10-01 2026-10-31 2026-11-01"],
  ["FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=15;COUNT=1", "2026-11-15"],
])("%s from Wednesday 2026-09-30 on", (rule, dates) => {
  const anchor = findCalendarDay("2026-09-30") ?? Number.NaN;
  const days = Array.from({ length: 80 }, (_, index) => anchor - 10 + index);
  const occurrences = days.filter((day) => occursOn(parseRecurrence(rule), anchor, day)).map(dateText);
  expect(occurrences.join(" ")).toBe(dates);
});
