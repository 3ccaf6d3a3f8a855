import { type CalendarDay, findCalendarDay, monthOf, weekdayOf } from "../calendar-day.ts";

/** A recurrence rule, in the subset of RFC 5545 that the world's campaigns use, to be tested date by date. */
export interface Recurrence {
  frequency: "DAILY" | "WEEKLY" | "MONTHLY";
  interval: number;
  /** 0 = Sunday; undefined if the rule has no such part. */
  weekdays: readonly number[] | undefined;
  /** Days of the month, from 1; negative ones count back from its end. */
  monthDays: readonly number[] | undefined;
  /** Local hours. */
  hours: readonly number[] | undefined;
  count: number | undefined;
  /** Last date, inclusive. */
  untilDay: CalendarDay | undefined;
}

const weekdayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

/** Parses a rule such as `FREQ=WEEKLY;BYDAY=SA,SU`, with or without a leading `RRULE:`. */
export function parseRecurrence(rule: string): Recurrence {
  const parts = new Map(
    rule
      .replace(/^RRULE:/, "")
      .split(";")
      .map((part): [string, string] => {
        const [name = "", value = ""] = part.split("=");
        return [name, value];
      }),
  );
  const frequency = parts.get("FREQ");
  if (frequency !== "DAILY" && frequency !== "WEEKLY" && frequency !== "MONTHLY") {
    throw new RangeError(`The emulator does not support the rule ${rule}.`);
  }
  const numbers = (name: string) => parts.get(name)?.split(",").map(Number);
  return {
    frequency,
    interval: Number(parts.get("INTERVAL") ?? 1),
    weekdays: parts
      .get("BYDAY")
      ?.split(",")
      .map((name) => weekdayNames.indexOf(name)),
    monthDays: numbers("BYMONTHDAY"),
    hours: numbers("BYHOUR"),
    count: numbers("COUNT")?.[0],
    untilDay: findCalendarDay(parts.get("UNTIL")?.replace(/^(\d{4})(\d{2})(\d{2}).*/, "$1-$2-$3") ?? ""),
  };
}

/** Dates from which a rule's intervals and occurrences are counted. */
export interface RuleDates {
  startDay: CalendarDay | undefined;
  /** Used instead of a missing start day. On this day, the campaign does not play yet. */
  addDay: CalendarDay;
}

/**
 * Returns true if the rule has an occurrence on a date. COUNT starts at the first date on which it may play.
 */
export function occursOn(rule: Recurrence, { startDay, addDay }: RuleDates, day: CalendarDay): boolean {
  const anchor = startDay ?? addDay;
  const firstDay = startDay ?? addDay + 1;
  if (day < firstDay || (rule.untilDay !== undefined && day > rule.untilDay)) return false;
  if (!matches(rule, anchor, day)) return false;
  if (rule.count === undefined) return true;
  let occurrences = 0;
  for (let earlier = firstDay; earlier < day; earlier += 1) {
    if (matches(rule, anchor, earlier)) occurrences += rule.hours?.length ?? 1;
    if (occurrences >= rule.count) return false;
  }
  return true;
}

function matches(rule: Recurrence, anchor: CalendarDay, day: CalendarDay): boolean {
  if (rule.weekdays && !rule.weekdays.includes(weekdayOf(day))) return false;
  const { month, dayOfMonth, daysInMonth } = monthOf(day);
  if (rule.monthDays) {
    if (!rule.monthDays.some((wanted) => (wanted > 0 ? wanted : daysInMonth + 1 + wanted) === dayOfMonth)) {
      return false;
    }
  }
  switch (rule.frequency) {
    case "DAILY":
      return (day - anchor) % rule.interval === 0;
    case "WEEKLY":
      return (
        (rule.weekdays !== undefined || weekdayOf(day) === weekdayOf(anchor)) &&
        (countWeeks(day) - countWeeks(anchor)) % rule.interval === 0
      );
    case "MONTHLY": {
      const first = monthOf(anchor);
      const isChosenDay = rule.monthDays !== undefined || rule.weekdays !== undefined;
      return (isChosenDay || dayOfMonth === first.dayOfMonth) && (month - first.month) % rule.interval === 0;
    }
  }
}

/** Returns the number of weeks, starting on Mondays, since the week of 1970-01-01. */
function countWeeks(day: CalendarDay): number {
  return Math.floor((day + 3) / 7);
}
