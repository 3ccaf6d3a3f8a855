import { countOf } from "../text/people-text.ts";

/** Data that is collected every morning is older than this only after a missed morning. */
export const freshHours = 30;

/** Whole hours since an instant; 0 for one that is ahead of the clock. */
export function hoursSince(instant: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(instant)) / 3_600_000));
}

export function isStale(instant: string, now: Date): boolean {
  return hoursSince(instant, now) > freshHours;
}

/** E.g. `less than an hour`, `31 hours`, `60 days`. */
export function ageText(hours: number): string {
  if (hours === 0) return "less than an hour";
  return hours < 48 ? countOf(hours, "hour") : countOf(Math.floor(hours / 24), "day");
}
