import { RRuleTemporal } from "rrule-temporal";
import type { DayRule } from "./day-rule.ts";
import { findLocalDay, firstDayOf, type LocalDay, weekdayOf, yearOf } from "./local-day.ts";
import { weekdays } from "./recurrence.ts";

/** Keeps the library's times as strings, because its own objects take four times as long to create. */
class TimeText {
  readonly timeZoneId = "UTC";
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

const temporal = { ZonedDateTime: { from: (text: string) => new TimeText(text) } };
const maxCached = 4_000;
/** Results as days since January 1, keyed by rule and by the properties of the year that matter. */
const cache = new Map<string, readonly number[]>();

/** Returns the days of one year that a rule chooses, in order. */
export function findYearDays(rule: DayRule, year: number): LocalDay[] {
  const firstDay = firstDayOf(year);
  // The key contains everything about a year that can affect the rule: its first weekday, its length, and the
  // length of the year before, whose last week may reach into this year.
  const lengths = [firstDay - firstDayOf(year - 1), firstDayOf(year + 1) - firstDay];
  const key = JSON.stringify([rule, weekdayOf(firstDay), lengths]);
  let days = cache.get(key);
  if (days === undefined) {
    // The calendar repeats every 400 years.
    const equivalentYear = 2000 + (year % 400);
    days = chooseDays(rule, equivalentYear).map((day) => day - firstDayOf(equivalentYear));
    for (const oldest of cache.keys()) {
      if (cache.size < maxCached) break;
      cache.delete(oldest);
    }
    cache.set(key, days);
  }
  return days.map((day) => firstDay + day);
}

function chooseDays(
  { rules, weekNumbers, yearWeekdays, weekStart, yearPositions }: DayRule,
  year: number,
): LocalDay[] {
  const [first = [], ...others] = rules.map((rule) => expandYear(rule, year));
  const sets = others.map((days) => new Set(days));
  const days = first.filter(
    (day) =>
      sets.every((set) => set.has(day)) &&
      (!weekNumbers || computeWeekNumbers(day, weekStart).some((number) => weekNumbers.includes(number))) &&
      (!yearWeekdays || listWeekdayNames(day).some((name) => yearWeekdays.includes(name))),
  );
  if (yearPositions === undefined) return days;
  const chosen = yearPositions.map((position) => days.at(position > 0 ? position - 1 : position));
  return [...new Set(chosen)].filter((day) => day !== undefined).sort((a, b) => a - b);
}

function expandYear(rule: string, year: number): LocalDay[] {
  const times = new RRuleTemporal({
    // Begins in December of the year before, for weeks that span the new year. Uses UTC, which skips no
    // hours.
    rruleString: `DTSTART:${year - 1}1201T000000Z\nRRULE:${rule};UNTIL=${year}1231T000000Z`,
    temporal,
    strict: true,
    cache: false,
  }).all();
  return times
    .map((time) => findLocalDay(time.toString().slice(0, 10)) ?? Number.NaN)
    .filter((day) => day >= firstDayOf(year));
}

/**
 * Returns the number of the week that contains a day, and its number counted from the end of the year (-1 is
 * the last week). Week 1 is the first week with at least four days in the year (RFC 5545; same as ISO 8601 if
 * weeks begin on Monday).
 * @param weekStart 0 = Monday
 */
function computeWeekNumbers(day: LocalDay, weekStart: number): [number, number] {
  // A week belongs to the year of its fourth day.
  const year = yearOf(findWeekStart(day, weekStart) + 3);
  const first = findFirstWeek(year, weekStart);
  const number = Math.floor((day - first) / 7) + 1;
  const weeks = (findFirstWeek(year + 1, weekStart) - first) / 7;
  return [number, number - weeks - 1];
}

function findFirstWeek(year: number, weekStart: number): LocalDay {
  return findWeekStart(firstDayOf(year) + 3, weekStart);
}

function findWeekStart(day: LocalDay, weekStart: number): LocalDay {
  return day - ((weekdayOf(day) - weekStart + 7) % 7);
}

/**
 * Returns the names that BYDAY may use for a day: `TH`, and with its number in the year, such as `53TH`, or
 * `-1TH` from the end.
 */
function listWeekdayNames(day: LocalDay): [string, string, string] {
  const name = weekdays[weekdayOf(day)] ?? "";
  const year = yearOf(day);
  const number = Math.floor((day - firstDayOf(year)) / 7) + 1;
  const numberFromEnd = Math.floor((firstDayOf(year + 1) - 1 - day) / 7) + 1;
  return [name, `${number}${name}`, `-${numberFromEnd}${name}`];
}
