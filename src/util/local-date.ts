/**
 * First and last local date in reports and pages. They also replace a missing start or end of a range. The span
 * is larger than the mart's calendar.
 */
export const firstDate = "1900-01-01";
export const lastDate = "2099-12-31";

/** Returns true for an existing calendar day, `YYYY-MM-DD`. */
export function isLocalDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  // JavaScript parses 30 February as 2 March.
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

/** Returns the date that is `days` later, or earlier if `days` is negative. */
export function addDays(date: string, days: number): string {
  const instant = new Date(`${date}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return instant.toISOString().slice(0, 10);
}

export function countDaysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

export function earliest(one: string, other: string): string {
  return [one, other].sort()[0] ?? one;
}

export function latest(one: string, other: string): string {
  return [one, other].sort()[1] ?? one;
}

/** Returns a date's ISO 8601 week, e.g. `2026-W47` for `2026-11-20`. */
export function formatWeek(date: string): string {
  const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  // A week belongs to the year of its Thursday.
  const thursday = addDays(date, 3 - weekday);
  const year = thursday.slice(0, 4);
  return `${year}-W${String(Math.floor(countDaysBetween(`${year}-01-01`, thursday) / 7) + 1).padStart(2, "0")}`;
}

/** Lists every day from the first to the last, both inclusive. */
export function listDaysBetween(from: string, to: string): string[] {
  // Counts days instead of comparing dates, because the day after 9999-12-31 sorts before it.
  const length = Math.max(0, countDaysBetween(from, to) + 1);
  return Array.from({ length }, (_, index) => addDays(from, index));
}
