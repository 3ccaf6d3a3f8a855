import { firstDayOf, type LocalDay, weekdayOf, yearOf } from "./local-day.ts";
import { weekdays } from "./recurrence.ts";

/** A day as BYDAY may name it: `TH`, and counted in its year, from the start (`53TH`) and from the end (`-1TH`). */
export function weekdayNamesOf(day: LocalDay): [string, string, string] {
  const name = weekdays[weekdayOf(day)] ?? "";
  const year = yearOf(day);
  const number = Math.floor((day - firstDayOf(year)) / 7) + 1;
  const numberFromEnd = Math.floor((firstDayOf(year + 1) - 1 - day) / 7) + 1;
  return [name, `${number}${name}`, `-${numberFromEnd}${name}`];
}
