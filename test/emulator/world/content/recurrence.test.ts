import { expect, it } from "vitest";
import { dateText, findCalendarDay } from "../../../../src/emulator/world/calendar-day.ts";
import {
  occursOn,
  parseRecurrence,
  type RuleDates,
} from "../../../../src/emulator/world/content/recurrence.ts";

const wednesday = findCalendarDay("2026-09-30") ?? Number.NaN;

/** The dates around that Wednesday on which a rule occurs. */
function datesOf(rule: string, dates: RuleDates): string {
  const days = Array.from({ length: 80 }, (_, index) => wednesday - 10 + index);
  return days
    .filter((day) => occursOn(parseRecurrence(rule), dates, day))
    .map(dateText)
    .join(" ");
}

it.each([
  ["FREQ=DAILY;COUNT=3", "2026-09-30 2026-10-01 2026-10-02"],
  ["RRULE:FREQ=DAILY;INTERVAL=3;UNTIL=20261007T235959Z", "2026-09-30 2026-10-03 2026-10-06"],
  ["FREQ=WEEKLY;COUNT=3", "2026-09-30 2026-10-07 2026-10-14"],
  ["FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261007", "2026-09-30 2026-10-05 2026-10-07"],
  ["FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;COUNT=2", "2026-10-12 2026-10-26"],
  ["FREQ=MONTHLY;COUNT=2", "2026-09-30 2026-10-30"],
  ["FREQ=MONTHLY;BYMONTHDAY=1,-1;COUNT=4", "2026-09-30 2026-10-01 2026-10-31 2026-11-01"],
  ["FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=15;COUNT=1", "2026-11-15"],
  ["FREQ=DAILY;BYHOUR=9,12,17;COUNT=4", "2026-09-30 2026-10-01"],
])("%s from Wednesday 2026-09-30 on", (rule, dates) => {
  expect(datesOf(rule, { startDay: wednesday, addDay: wednesday - 5 })).toBe(dates);
});

// A campaign does not play on the day on which it was added, so COUNT does not count it.
it.each([
  ["FREQ=DAILY;COUNT=3", "2026-10-01 2026-10-02 2026-10-03"],
  ["FREQ=DAILY;INTERVAL=2;COUNT=2", "2026-10-02 2026-10-04"],
  ["FREQ=WEEKLY;COUNT=2", "2026-10-07 2026-10-14"],
  ["FREQ=WEEKLY;BYDAY=WE,TH;COUNT=2", "2026-10-01 2026-10-07"],
  ["FREQ=MONTHLY;BYMONTHDAY=1,-1;COUNT=2", "2026-10-01 2026-10-31"],
  ["FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261007", "2026-10-05 2026-10-07"],
])("%s without a first day, added on Wednesday 2026-09-30", (rule, dates) => {
  expect(datesOf(rule, { startDay: undefined, addDay: wednesday })).toBe(dates);
});
