import { expect, it } from "vitest";
import { checkRecurrenceRule } from "../../../../src/cli/api/flags/recurrence-rule.ts";

it.each([
  "FREQ=DAILY",
  "RRULE:FREQ=DAILY",
  "freq=weekly;byday=sa,su",
  "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;BYHOUR=9,17;BYMINUTE=30",
  "FREQ=MONTHLY;BYDAY=-1FR",
  "FREQ=MONTHLY;BYMONTHDAY=-1",
  "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24;COUNT=3",
  "FREQ=DAILY;UNTIL=20261224",
  "FREQ=DAILY;UNTIL=20261224T180000Z",
  "FREQ=WEEKLY;WKST=SU",
])("%s is a rule", (rule) => {
  expect(checkRecurrenceRule(rule)).toBeUndefined();
});

it.each<[string, RegExp]>([
  ["", /"" is no part of a rule/],
  ["every day", /no part/],
  ["FREQ=DAILY;", /"" is no part/],
  ["FREQ=DAILY BYHOUR=9", /no part/],
  ["BYDAY=MO", /FREQ/],
  ["FREQ=SOMETIMES", /FREQ/],
  ["FREQ=DAILY;FREQ=WEEKLY", /FREQ stands there twice/],
  ["FREQ=DAILY;COLOUR=RED", /"COLOUR=RED" is no part/],
  ["FREQ=DAILY;INTERVAL=0", /INTERVAL=0 is out of range/],
  ["FREQ=DAILY;INTERVAL=1.5", /out of range/],
  ["FREQ=DAILY;INTERVAL=1,2", /out of range/],
  ["FREQ=DAILY;COUNT=-1", /COUNT=-1 is out of range/],
  ["FREQ=DAILY;BYHOUR=24", /BYHOUR=24 is out of range/],
  ["FREQ=DAILY;BYHOUR=9,,10", /out of range/],
  ["FREQ=MONTHLY;BYMONTHDAY=32", /out of range/],
  ["FREQ=MONTHLY;BYMONTHDAY=0", /out of range/],
  ["FREQ=WEEKLY;BYDAY=XX", /BYDAY/],
  ["FREQ=WEEKLY;BYDAY=1MO", /BYDAY/],
  ["FREQ=DAILY;UNTIL=20260230", /UNTIL=20260230 is no date/],
  ["FREQ=DAILY;UNTIL=2026-02-03", /no date/],
  ["FREQ=DAILY;COUNT=3;UNTIL=20261224", /exclude each other/],
  ["DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY", /no part/],
])("%s is none", (rule, problem) => {
  expect(checkRecurrenceRule(rule)).toMatch(problem);
});
