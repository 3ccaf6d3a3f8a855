import { firstDayOf, type LocalDay, weekdayOf, yearOf } from "./local-day.ts";

/**
 * The number of a day's week, and the same from its year's end (-1 is the last). Week 1 is the first with four days or
 * more in the year (RFC 5545, as ISO 8601 for weeks that begin on Monday).
 * @param weekStart 0 = Monday
 */
export function weekNumbersOf(day: LocalDay, weekStart: number): [number, number] {
  // A week is the year's that holds its fourth day.
  const year = yearOf(weekBegin(day, weekStart) + 3);
  const first = firstWeekOf(year, weekStart);
  const number = Math.floor((day - first) / 7) + 1;
  const weeks = (firstWeekOf(year + 1, weekStart) - first) / 7;
  return [number, number - weeks - 1];
}

function firstWeekOf(year: number, weekStart: number): LocalDay {
  return weekBegin(firstDayOf(year) + 3, weekStart);
}

function weekBegin(day: LocalDay, weekStart: number): LocalDay {
  return day - ((weekdayOf(day) - weekStart + 7) % 7);
}
