/** A local date as the number of days since 1970-01-01. */
export type LocalDay = number;

const dayMs = 86_400_000;

/** Parses `YYYY-MM-DD`. Returns `undefined` for anything else and for dates that do not exist. */
export function findLocalDay(text: string): LocalDay | undefined {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // `Date.parse` reads February 30 as March 2.
  if (Number.isNaN(ms) || formatLocalDay(ms / dayMs) !== text) return undefined;
  return ms / dayMs;
}

/** Returns `YYYY-MM-DD`. */
export function formatLocalDay(day: LocalDay): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

export function yearOf(day: LocalDay): number {
  return new Date(day * dayMs).getUTCFullYear();
}

/** Returns the month, from 1. */
export function monthOf(day: LocalDay): number {
  return new Date(day * dayMs).getUTCMonth() + 1;
}

export function dayOfMonth(day: LocalDay): number {
  return new Date(day * dayMs).getUTCDate();
}

/** Returns the weekday; 0 = Monday. */
export function weekdayOf(day: LocalDay): number {
  // 1970-01-01 was a Thursday.
  return (((day + 3) % 7) + 7) % 7;
}

/** Returns January 1 of a year. */
export function firstDayOf(year: number): LocalDay {
  return Date.parse(`${String(year).padStart(4, "0")}-01-01`) / dayMs;
}
