import { dayOfMonth, monthOf, weekdayOf } from "./local-day.ts";
import { type Recurrence, weekdays } from "./recurrence.ts";
import { RuleError } from "./rule-parts.ts";
import type { Anchor } from "./rule-time.ts";

/** The days of a recurrence, except for INTERVAL, with everything it takes from its start written out. */
export interface DayRule {
  /** Rules for the library; a day must be in all of them. */
  rules: readonly string[];
  /** The day's week must have one of these numbers. */
  weekNumbers: readonly number[] | undefined;
  /** The day must be one of these (`1MO`, `-53TH`, `WE`), counted within its year. */
  yearWeekdays: readonly string[] | undefined;
  /** 0 = Monday. */
  weekStart: number;
  /** Positions among the remaining days of a year, from 1, or from -1 backwards; other days are dropped. */
  yearPositions: readonly number[] | undefined;
}

type Part = [name: string, values: readonly (string | number)[] | undefined];

/**
 * @param positions BYSETPOS, counted in days
 * @throws {RuleError} if a recurrence takes its day from its start, and has none
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
  // rrule-temporal 2.2.7 cannot combine parts under FREQ=YEARLY. It ignores BYMONTHDAY next to BYYEARDAY,
  // BYWEEKNO or a numbered BYDAY, and weekdays without a number next to numbered ones. Asked for one year
  // only, it omits days of that year in a week of the year before. It takes a 53rd Thursday that a year lacks
  // from the next year.
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
    // FREQ=DAILY with only the limits is equivalent, but takes the library five times as long.
    rules.push(write("MONTHLY", names ? limits : [...limits.slice(0, 2), ["BYDAY", weekdays]]));
  }
  const yearWeekdays = isNumbered && !months ? days : undefined;
  return { rules, weekNumbers, yearWeekdays, weekStart, yearPositions: positions };
}

/** Writes `MO` as `1MO`, `2MO`… to `5MO`: all of a month. */
function withOrdinals(days: readonly string[]): string[] {
  const numbers = [1, 2, 3, 4, 5];
  return days.flatMap((day) => (day.length > 2 ? [day] : numbers.map((number) => `${number}${day}`)));
}

function write(frequency: string, parts: readonly Part[]): string {
  const texts = parts.filter(([, values]) => values !== undefined).map((part) => part.join("="));
  return [`FREQ=${frequency}`, ...texts].join(";");
}

/** A weekly, monthly or yearly rule without days takes the day of its start. */
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
