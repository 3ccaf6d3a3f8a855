/** Milliseconds of a day without a clock change. */
export const dayMs = 86_400_000;

/** A calendar date as days since 1970-01-01, so that dates can be added and compared as numbers. */
export type CalendarDay = number;

/** Parses `YYYY-MM-DD`; undefined if it is not a date. */
export function findCalendarDay(text: string): CalendarDay | undefined {
  const timeMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse rolls 2026-02-30 over to March.
  if (Number.isNaN(timeMs) || new Date(timeMs).toISOString().slice(0, 10) !== text) return undefined;
  return timeMs / dayMs;
}

/** Formats a date as `YYYY-MM-DD`. */
export function dateText(day: CalendarDay): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Returns the weekday, from 0 (Sunday) to 6 (Saturday). */
export function weekdayOf(day: CalendarDay): number {
  return (((day + 4) % 7) + 7) % 7;
}
