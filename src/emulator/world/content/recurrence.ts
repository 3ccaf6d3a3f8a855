import { type CalendarDay, dayMs, findCalendarDay, weekdayOf } from "../calendar-day.ts";

/**
 * A recurrence rule in the subset of RFC 5545 that the world's campaigns use. It is evaluated date by date. It
 * shares no library with the loader's rules, so that tests can compare both.
 */
export interface Recurrence {
  frequency: string;
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
    Array.from(rule.matchAll(/(\w+)=([^;]*)/g), ([, name = "", value = ""]) => [name, value.split(",")]),
  );
  const numbers = (name: string) => parts.get(name)?.map(Number);
  return {
    frequency: parts.get("FREQ")?.[0] ?? "",
    interval: numbers("INTERVAL")?.[0] ?? 1,
    weekdays: parts.get("BYDAY")?.map((name) => weekdayNames.indexOf(name)),
    monthDays: numbers("BYMONTHDAY"),
    hours: numbers("BYHOUR"),
    count: numbers("COUNT")?.[0],
    untilDay: findCalendarDay(
      (parts.get("UNTIL")?.[0] ?? "").replace(/^(\d{4})(\d{2})(\d{2}).*/, "$1-$2-$3"),
    ),
  };
}

/** Dates of a campaign. Without a start day, it is scheduled from its add day, but plays only from the next day. */
type RuleDates = Record<"startDay", CalendarDay | undefined> & Record<"addDay", CalendarDay>;

/**
 * Returns true if the rule has an occurrence on a date. COUNT starts at the first date on which the campaign may play.
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
  const [first, date] = [new Date(anchor * dayMs), new Date(day * dayMs)];
  const { weekdays, monthDays, interval } = rule;
  if (weekdays && !weekdays.includes(weekdayOf(day))) return false;
  const [year, month, dayOfMonth] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const daysInMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  if (monthDays && !monthDays.some((wanted) => [wanted, daysInMonth + 1 + wanted].includes(dayOfMonth))) {
    return false;
  }
  if (rule.frequency === "DAILY") return (day - anchor) % interval === 0;
  if (rule.frequency === "WEEKLY") {
    // Weeks start on Mondays.
    const weekOf = (date: CalendarDay) => Math.floor((date + 3) / 7);
    const isWeekday = weekdays !== undefined || weekdayOf(day) === weekdayOf(anchor);
    return isWeekday && (weekOf(day) - weekOf(anchor)) % interval === 0;
  }
  const months = (year - first.getUTCFullYear()) * 12 + month - first.getUTCMonth();
  const isDay = monthDays !== undefined || weekdays !== undefined || dayOfMonth === first.getUTCDate();
  return isDay && months % interval === 0;
}
