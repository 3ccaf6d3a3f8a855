import { dayOfMonth, monthOf, weekdayOf } from "./local-day.ts";
import { type Recurrence, weekdays } from "./recurrence.ts";
import { RuleError } from "./rule-parts.ts";
import type { Anchor } from "./rule-time.ts";

/** Which days a recurrence chooses, INTERVAL aside: all that it leaves to its start is written out. */
export interface DayRule {
  /** For the library; a day is chosen on which each occurs. */
  rules: readonly string[];
  /** The day's week must have one of these numbers. */
  weekNumbers: readonly number[] | undefined;
  /** The day must be one of these (`1MO`, `-53TH`, `WE`), counted in its year. */
  yearWeekdays: readonly string[] | undefined;
  /** 0 = Monday. */
  weekStart: number;
  /** Of the days that are left in a year only these are chosen, from 1 or from -1 backwards. */
  yearPositions: readonly number[] | undefined;
}

type Part = [name: string, values: readonly (string | number)[] | undefined];

/**
 * @param positions BYSETPOS, counted in days
 * @throws {RuleError} when a recurrence leaves its day to its start, and has none
 */
export function writeDayRule(
  recurrence: Recurrence,
  anchor: Anchor | undefined,
  positions: readonly number[] | undefined,
): DayRule {
  const { frequency, months, weekNumbers, yearDays, weekStart } = recurrence;
  const { monthDays, weekdays: days } = withDaysOfStart(recurrence, anchor);
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
  // Several parts under FREQ=YEARLY are more than rrule-temporal 2.2.7 can do: it passes over BYMONTHDAY beside
  // BYYEARDAY, BYWEEKNO or a numbered BYDAY, over days without number beside those with one, and, asked for one year
  // only, over those of its days whose week is the year's before. A 53rd Thursday that a year lacks it takes from the
  // next year.
  const isNumbered = days?.some((day) => day.length > 2) ?? false;
  const rules: string[] = [];
  if (yearDays) rules.push(write("YEARLY", [["BYYEARDAY", yearDays]]));
  if (isNumbered && months) {
    rules.push(
      write("YEARLY", [
        ["BYMONTH", months],
        ["BYDAY", numberAll(days ?? [])],
      ]),
    );
  }
  const limits: Part[] = [
    ["BYMONTH", isNumbered ? undefined : (months ?? monthOfStart(recurrence, anchor))],
    ["BYMONTHDAY", monthDays],
    ["BYDAY", isNumbered ? undefined : days],
  ];
  if (rules.length === 0 || limits.some(([, values]) => values)) {
    const names = monthDays ?? (isNumbered ? undefined : days);
    // FREQ=DAILY with the limits alone is the same, and takes the library five times as long.
    rules.push(write("MONTHLY", names ? limits : [...limits.slice(0, 2), ["BYDAY", weekdays]]));
  }
  const yearWeekdays = isNumbered && !months ? days : undefined;
  return { rules, weekNumbers, yearWeekdays, weekStart, yearPositions: positions };
}

/** Writes `MO` as `1MO`, `2MO`… to `5MO`: all of a month. */
function numberAll(days: readonly string[]): string[] {
  const numbers = [1, 2, 3, 4, 5];
  return days.flatMap((day) => (day.length > 2 ? [day] : numbers.map((number) => `${number}${day}`)));
}

function write(frequency: string, parts: readonly Part[]): string {
  const texts = parts.filter(([, values]) => values !== undefined).map((part) => part.join("="));
  return [`FREQ=${frequency}`, ...texts].join(";");
}

/** A rule in weeks, months or years that names no day takes its start's. */
function withDaysOfStart(
  recurrence: Recurrence,
  anchor: Anchor | undefined,
): Pick<Recurrence, "monthDays" | "weekdays"> {
  const { frequency } = recurrence;
  if (!leavesDayToStart(recurrence)) return recurrence;
  if (anchor === undefined) {
    throw new RuleError(`FREQ=${frequency} names no day, and there is no start_date to take it from`);
  }
  return frequency === "WEEKLY"
    ? { monthDays: undefined, weekdays: [weekdays[weekdayOf(anchor.day)] ?? "MO"] }
    : { monthDays: [dayOfMonth(anchor.day)], weekdays: undefined };
}

function monthOfStart(recurrence: Recurrence, anchor: Anchor | undefined): number[] | undefined {
  const isYearly = recurrence.frequency === "YEARLY" && leavesDayToStart(recurrence);
  return isYearly && anchor ? [monthOf(anchor.day)] : undefined;
}

function leavesDayToStart(recurrence: Recurrence): boolean {
  const { frequency, weekNumbers, yearDays, monthDays } = recurrence;
  const namedDay = weekNumbers ?? yearDays ?? monthDays ?? recurrence.weekdays;
  return namedDay === undefined && ["WEEKLY", "MONTHLY", "YEARLY"].includes(frequency);
}
