import { RuleError, type RuleParts } from "./rule-parts.ts";
import { readUntil, type Until } from "./rule-time.ts";

const frequencies = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"] as const;
export const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/**
 * Parts of a rule (RFC 5545, section 3.3.10). All values are in range; lists are sorted, without duplicates.
 */
export interface Recurrence {
  frequency: (typeof frequencies)[number];
  interval: number;
  count: number | undefined;
  until: Until | undefined;
  months: number[] | undefined;
  weekNumbers: number[] | undefined;
  yearDays: number[] | undefined;
  monthDays: number[] | undefined;
  /** Weekdays in capitals, with a number if the rule has one: `MO`, `-1FR`. */
  weekdays: string[] | undefined;
  hours: number[] | undefined;
  minutes: number[] | undefined;
  seconds: number[] | undefined;
  positions: number[] | undefined;
  /** First day of the week; 0 = Monday. */
  weekStart: number;
}

interface NumberRange {
  least: number;
  most: number;
  /** Values from -1 to -most count from the end. */
  allowsNegative?: true;
}

const fromEnd = (most: number): NumberRange => ({ least: 1, most, allowsNegative: true });

/**
 * Reads and checks every part: ranges, unknown parts and conflicts. The library's custom checks are not enough,
 * because it ignores some mistakes and drops values that are out of range.
 * @throws {RuleError}
 */
export function readRecurrence(parts: RuleParts["parts"]): Recurrence {
  const rest = new Map(parts);
  const take = (name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return value?.toUpperCase();
  };
  const numbers = (name: string, range: NumberRange) => readNumbers(name, take(name), range);
  const number = (name: string) => readNumber(name, take(name));
  const until = take("UNTIL");
  const recurrence: Recurrence = {
    frequency: readFrequency(take("FREQ")),
    interval: number("INTERVAL") ?? 1,
    count: number("COUNT"),
    until: until === undefined ? undefined : readUntil(until),
    months: numbers("BYMONTH", { least: 1, most: 12 }),
    weekNumbers: numbers("BYWEEKNO", fromEnd(53)),
    yearDays: numbers("BYYEARDAY", fromEnd(366)),
    monthDays: numbers("BYMONTHDAY", fromEnd(31)),
    weekdays: readWeekdays(take("BYDAY")),
    hours: numbers("BYHOUR", { least: 0, most: 23 }),
    minutes: numbers("BYMINUTE", { least: 0, most: 59 }),
    seconds: withoutLeapSecond(numbers("BYSECOND", { least: 0, most: 60 })),
    positions: numbers("BYSETPOS", fromEnd(366)),
    weekStart: readWeekStart(take("WKST")),
  };
  for (const name of rest.keys()) throw new RuleError(`unknown part ${name}`);
  assertCompatibleParts(recurrence);
  return recurrence;
}

function readFrequency(text: string | undefined): Recurrence["frequency"] {
  if (text === undefined) throw new RuleError("no FREQ");
  const frequency = frequencies.find((known) => known === text);
  if (frequency === undefined) throw new RuleError(`unknown FREQ "${text}"`);
  return frequency;
}

/**
 * Reads COUNT or INTERVAL. Caps the number at a billion, because larger ones have the same effect: no second
 * occurrence, or no end.
 */
function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\+?\d+$/.test(text) || Number(text) < 1) {
    throw new RuleError(`${name}=${text} is not a whole number of at least 1`);
  }
  return Math.min(Number(text), 1_000_000_000);
}

function readNumbers(name: string, text: string | undefined, range: NumberRange): number[] | undefined {
  if (text === undefined) return undefined;
  const numbers = text.split(",").map((item) => {
    const number = /^[+-]?\d+$/.test(item) ? Number(item) : Number.NaN;
    const size = range.allowsNegative ? Math.abs(number) : number;
    if (size >= range.least && size <= range.most) return number;
    const negatives = range.allowsNegative ? ` or -1 to -${range.most}` : "";
    throw new RuleError(`${name}: "${item}" is not ${range.least} to ${range.most}${negatives}`);
  });
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Replaces a leap second with the second before it. */
function withoutLeapSecond(seconds: number[] | undefined): number[] | undefined {
  return seconds && [...new Set(seconds.map((second) => Math.min(second, 59)))];
}

function readWeekdays(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const days = text.split(",").map((item) => {
    const [, ordinal, day = ""] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(item) ?? [];
    const size = Math.abs(Number(ordinal ?? 1));
    if (weekdays.includes(day) && size >= 1 && size <= 53) return `${Number(ordinal ?? 0) || ""}${day}`;
    throw new RuleError(`BYDAY: "${item}" is not a day such as MO, 2TU or -1FR`);
  });
  return [...new Set(days)].sort();
}

function readWeekStart(text = "MO"): number {
  const day = weekdays.indexOf(text);
  if (day < 0) throw new RuleError(`WKST "${text}" is not a day such as MO`);
  return day;
}

/** Rejects combinations that RFC 5545 forbids, or that implementations interpret differently. */
function assertCompatibleParts(recurrence: Recurrence): void {
  const { frequency, weekNumbers, yearDays, monthDays, positions } = recurrence;
  const refuse = (isWrong: boolean, message: string) => {
    if (isWrong) throw new RuleError(message);
  };
  const hasOrdinals = recurrence.weekdays?.some((day) => day.length > 2) ?? false;
  const other =
    recurrence.months ?? weekNumbers ?? yearDays ?? monthDays ?? recurrence.weekdays ?? recurrence.hours;
  refuse(
    recurrence.count !== undefined && recurrence.until !== undefined,
    "COUNT and UNTIL are mutually exclusive",
  );
  refuse(
    weekNumbers !== undefined && frequency !== "YEARLY",
    `BYWEEKNO cannot be used with FREQ=${frequency}`,
  );
  refuse(
    yearDays !== undefined && ["DAILY", "WEEKLY", "MONTHLY"].includes(frequency),
    `BYYEARDAY cannot be used with FREQ=${frequency}`,
  );
  refuse(monthDays !== undefined && frequency === "WEEKLY", "BYMONTHDAY cannot be used with FREQ=WEEKLY");
  refuse(
    hasOrdinals && !["MONTHLY", "YEARLY"].includes(frequency),
    `a numbered BYDAY cannot be used with FREQ=${frequency}`,
  );
  refuse(hasOrdinals && weekNumbers !== undefined, "a numbered BYDAY cannot be used with BYWEEKNO");
  refuse(
    positions !== undefined && (other ?? recurrence.minutes ?? recurrence.seconds) === undefined,
    "BYSETPOS needs another BY part",
  );
  // Some libraries take the weekday of the start date (rrule-temporal), others the whole week
  // (python-dateutil).
  refuse(
    weekNumbers !== undefined && (recurrence.weekdays ?? monthDays ?? yearDays) === undefined,
    "BYWEEKNO needs BYDAY for the days of the week",
  );
}
