import { expect, it } from "vitest";
import { flagsOf } from "../../../src/cli/api/flags.ts";

const parseRule = flagsOf("rrule").rrule?.parse as (text: string) => unknown;

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
  expect(parseRule(rule)).toBe(rule);
});

it.each<[string, RegExp]>([
  ["", /"" is not valid in a rule/],
  ["every day", /not valid/],
  ["FREQ=DAILY;", /"" is not valid/],
  ["FREQ=DAILY BYHOUR=9", /not valid/],
  ["BYDAY=MO", /FREQ/],
  ["FREQ=SOMETIMES", /FREQ/],
  ["FREQ=DAILY;FREQ=WEEKLY", /FREQ stands there twice/],
  ["FREQ=DAILY;COLOUR=RED", /unknown part COLOUR/],
  ["FREQ=DAILY;INTERVAL=0", /INTERVAL=0 is not a whole number from 1/],
  ["FREQ=DAILY;INTERVAL=1.5", /INTERVAL=1.5 is not a whole number/],
  ["FREQ=DAILY;INTERVAL=1,2", /INTERVAL=1,2 is not a whole number/],
  ["FREQ=DAILY;COUNT=-1", /COUNT=-1 is not a whole number/],
  ["FREQ=DAILY;BYHOUR=24", /BYHOUR: "24" is not 0 to 23/],
  ["FREQ=DAILY;BYHOUR=9,,10", /BYHOUR: "" is not 0 to 23/],
  ["FREQ=MONTHLY;BYMONTHDAY=32", /BYMONTHDAY: "32" is not 1 to 31 or -1 to -31/],
  ["FREQ=MONTHLY;BYMONTHDAY=0", /BYMONTHDAY: "0" is not 1 to 31/],
  ["FREQ=WEEKLY;BYDAY=XX", /BYDAY/],
  ["FREQ=WEEKLY;BYDAY=1MO", /BYDAY/],
  ["FREQ=DAILY;UNTIL=20260230", /UNTIL "20260230" is neither a date/],
  ["FREQ=DAILY;UNTIL=2026-02-03", /neither a date/],
  ["FREQ=DAILY;COUNT=3;UNTIL=20261224", /exclude each other/],
  ["FREQ=DAILY;DTSTART=20260101T000000Z", /"DTSTART=20260101T000000Z" is not valid/],
  ["FREQ=YEARLY;BYWEEKNO=20", /BYWEEKNO without BYDAY/],
  ["DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY", /not valid/],
])("%s is refused", (rule, problem) => {
  expect(() => parseRule(rule)).toThrow(problem);
});
