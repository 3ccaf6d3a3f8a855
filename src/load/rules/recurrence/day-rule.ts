import { dayOfMonth, monthOf, weekdayOf } from "./local-day.ts";
import { type Recurrence, weekdays } from "./recurrence.ts";
import { RuleError } from "./rule-parts.ts";
import type { Anchor } from "./rule-time.ts";

/**
 * Selects the days of a recurrence, apart from INTERVAL. Parts that RFC 5545 takes from the start date are
 * filled in.
 */
export interface DayRule {
  /** Rules for the library. A day must match all of them. */
  rules: readonly string[];
  /** Numbers of the allowed weeks. */
  weekNumbers: readonly number[] | undefined;
  /** Allowed weekdays (`WE`), or numbered weekdays of the year (`1MO`, `-53TH`). */
  yearWeekdays: readonly string[] | undefined;
  /** 0 = Monday. */
  weekStart: number;
  /** Positions to keep among the remaining days of a year, counted from 1, or backwards from -1. */
  yearPositions: readonly number[] | undefined;
}

type Part = [name: string, values: readonly (string | number)[] | undefined];

/**
 * Converts a recurrence to a rule for days.
 * @param positions BYSETPOS, counted in days
 * @throws {RuleError} if the day must be taken from the start date, and there is none
 */
export function createDayRule(
  recurrence: Recurrence,
  anchor: Anchor | undefined,
  positions: readonly number[] | undefined,
): DayRule {
  const { frequency, months, weekNumbers, yearDays, weekStart } = recurrence;
  const { monthDays, weekdays: days } = withStartDay(recurrence, anchor);
  if (frequency === "MONTHLY" || (frequency === "WEEKLY" && positions)) {
    const rule = write(frequency, [
      ["BYMONTH", months],
      ["BYMONTHDAY", monthDays],
      ["BYDAY", days],
      ["BYSETPOS", positions],
      ["WKST", frequency === "WEEKLY" ? [weekdays[weekStart] ?? "MO"] : undefined],
    ]);
    return {
      rules: [rule],
      weekNumbers: undefined,
      yearWeekdays: undefined,
      weekStart,
      yearPositions: undefined,
    };
  }
  // rrule-temporal 2.2.7 cannot combine parts under FREQ=YEARLY. It ignores BYMONTHDAY if there is a
  // BYYEARDAY, BYWEEKNO or numbered BYDAY, and weekdays without a number if others have one. If asked for a
  // single year, it omits that year's days in the last week of the year before. If a year has no 53rd
  // Thursday, it returns one from the next year.
  const isNumbered = days?.some((day) => day.length > 2) ?? false;
  const rules: string[] = [];
  if (yearDays) rules.push(write("YEARLY", [["BYYEARDAY", yearDays]]));
  if (isNumbered && months) {
    rules.push(
      write("YEARLY", [
        ["BYMONTH", months],
        ["BYDAY", withOrdinals(days ?? [])],
      ]),
    );
  }
  const limits: Part[] = [
    ["BYMONTH", isNumbered ? undefined : (months ?? getStartMonth(recurrence, anchor))],
    ["BYMONTHDAY", monthDays],
    ["BYDAY", isNumbered ? undefined : days],
  ];
  if (rules.length === 0 || limits.some(([, values]) => values)) {
    const names = monthDays ?? (isNumbered ? undefined : days);
    // FREQ=DAILY with the same limits would be equivalent, but the library takes five times as long for it.
    rules.push(write("MONTHLY", names ? limits : [...limits.slice(0, 2), ["BYDAY", weekdays]]));
  }
  const yearWeekdays = isNumbered && !months ? days : undefined;
  return { rules, weekNumbers, yearWeekdays, weekStart, yearPositions: positions };
}

/** Replaces `MO` with `1MO` to `5MO`, which are all Mondays of a month. */
function withOrdinals(days: readonly string[]): string[] {
  const numbers = [1, 2, 3, 4, 5];
  return days.flatMap((day) => (day.length > 2 ? [day] : numbers.map((number) => `${number}${day}`)));
}

function write(frequency: string, parts: readonly Part[]): string {
  const texts = parts.filter(([, values]) => values !== undefined).map((part) => part.join("="));
  return [`FREQ=${frequency}`, ...texts].join(";");
}

/** Fills in the day of the start date, if a weekly, monthly or yearly rule has no days. */
function withStartDay(
  recurrence: Recurrence,
  anchor: Anchor | undefined,
): Pick<Recurrence, "monthDays" | "weekdays"> {
  const { frequency } = recurrence;
  if (!takesDayFromStart(recurrence)) return recurrence;
  if (anchor === undefined) {
    throw new RuleError(`FREQ=${frequency} needs a day, or a start_date to take it from`);
  }
  return frequency === "WEEKLY"
    ? { monthDays: undefined, weekdays: [weekdays[weekdayOf(anchor.day)] ?? "MO"] }
    : { monthDays: [dayOfMonth(anchor.day)], weekdays: undefined };
}

function getStartMonth(recurrence: Recurrence, anchor: Anchor | undefined): number[] | undefined {
  const isYearly = recurrence.frequency === "YEARLY" && takesDayFromStart(recurrence);
  return isYearly && anchor ? [monthOf(anchor.day)] : undefined;
}

function takesDayFromStart(recurrence: Recurrence): boolean {
  const { frequency, weekNumbers, yearDays, monthDays } = recurrence;
  const namedDay = weekNumbers ?? yearDays ?? monthDays ?? recurrence.weekdays;
  return namedDay === undefined && ["WEEKLY", "MONTHLY", "YEARLY"].includes(frequency);
}
