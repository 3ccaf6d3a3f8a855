import { addDays, isLocalDate } from "../../util/local-date.ts";
import type { Period } from "../report.ts";

/**
 * Parses a date, ISO week or month in the mart's format into its first and last day; `undefined` for other
 * text.
 */
export function parseCalendarPeriod(text: string): Period | undefined {
  if (isLocalDate(text)) return { from: text, to: text };
  const [, year, week] = /^(\d{4})-W(\d{2})$/.exec(text) ?? [];
  if (year !== undefined) {
    // ISO week 1 contains 4 January.
    const fourth = `${year}-01-04`;
    const weekday = (new Date(`${fourth}T00:00:00Z`).getUTCDay() + 6) % 7;
    const from = addDays(fourth, (Number(week) - 1) * 7 - weekday);
    return { from, to: addDays(from, 6) };
  }
  const first = `${text}-01`;
  if (!/^\d{4}-\d{2}$/.test(text) || !isLocalDate(first)) return undefined;
  return { from: first, to: addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1) };
}
