import { type LocalDay, monthOf, weekdayOf, yearOf } from "./local-day.ts";
import type { Recurrence } from "./recurrence.ts";

/** Whether INTERVAL lets a rule in days, weeks, months or years occur in the one that holds a day. */
export function isOnCadence(recurrence: Recurrence, anchorDay: LocalDay, day: LocalDay): boolean {
  if (recurrence.interval === 1) return true;
  return (periodOf(recurrence, day) - periodOf(recurrence, anchorDay)) % recurrence.interval === 0;
}

/** The number of the day, week, month or year that holds a day; neighbours differ by 1. */
function periodOf({ frequency, weekStart }: Recurrence, day: LocalDay): number {
  switch (frequency) {
    case "WEEKLY":
      return (day - ((weekdayOf(day) - weekStart + 7) % 7) - weekStart + 3) / 7;
    case "MONTHLY":
      return yearOf(day) * 12 + monthOf(day);
    // Also for weeks by number: December 31 is its own year's, even in week 1 of the next.
    case "YEARLY":
      return yearOf(day);
    default:
      return day;
  }
}
