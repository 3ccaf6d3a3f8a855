import { addDays, formatWeek, isLocalDate } from "../../util/local-date.ts";

interface Days {
  from: string;
  to: string;
}

/**
 * Parses a date, ISO week, month or quarter, written as in reports. Returns its first and last day; `undefined` for
 * other text.
 */
export function parseCalendarPeriod(text: string): Days | undefined {
  if (isLocalDate(text)) return { from: text, to: text };
  const [, year, week] = /^(\d{4})-W(\d{2})$/.exec(text) ?? [];
  if (year !== undefined) {
    // ISO week 1 contains 4 January.
    const fourth = `${year}-01-04`;
    const weekday = (new Date(`${fourth}T00:00:00Z`).getUTCDay() + 6) % 7;
    const from = addDays(fourth, (Number(week) - 1) * 7 - weekday);
    return formatWeek(from) === text ? { from, to: addDays(from, 6) } : undefined;
  }
  const [, yearOfQuarter, quarter] = /^(\d{4})-Q([1-4])$/.exec(text) ?? [];
  if (yearOfQuarter !== undefined) {
    const monthOf = (number: number) => `${yearOfQuarter}-${String(number).padStart(2, "0")}`;
    return { from: `${monthOf(3 * Number(quarter) - 2)}-01`, to: endOfMonth(monthOf(3 * Number(quarter))) };
  }
  const first = `${text}-01`;
  if (!/^\d{4}-\d{2}$/.test(text) || !isLocalDate(first)) return undefined;
  return { from: first, to: endOfMonth(text) };
}

/** Words for periods that end on the last complete day or earlier. */
export const periodWords = ["yesterday", "this-week", "last-week", "this-month", "last-month"] as const;

/**
 * Returns the days of a period word such as `last-week`; `undefined` for other text. If `lastDay` is a Sunday,
 * `this-week` and `last-week` are the same.
 */
export function findNamedPeriod(text: string, lastDay: string): Days | undefined {
  const word = periodWords.find((known) => known === text);
  const month = lastDay.slice(0, "YYYY-MM".length);
  switch (word) {
    case "yesterday":
      return { from: lastDay, to: lastDay };
    case "this-week":
      return { from: parseCalendarPeriod(formatWeek(lastDay))?.from ?? lastDay, to: lastDay };
    case "last-week":
      return parseCalendarPeriod(formatWeek(addDays(lastDay, -6)));
    case "this-month":
      return { from: `${month}-01`, to: lastDay };
    case "last-month":
      return parseCalendarPeriod(
        (lastDay === endOfMonth(month) ? lastDay : addDays(`${month}-01`, -1)).slice(0, "YYYY-MM".length),
      );
    default:
      return undefined;
  }
}

function endOfMonth(month: string): string {
  return addDays(`${addDays(`${month}-01`, 31).slice(0, 7)}-01`, -1);
}
