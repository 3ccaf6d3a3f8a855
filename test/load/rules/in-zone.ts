import type { RuleDates } from "../../../src/load/rules/campaign-rule.ts";

/** Dates in a zone whose clock is this many minutes ahead of UTC. */
export function datesInZone(expanded: RuleDates, offsetMinutes: number): string[] | RuleDates {
  if (!("dates" in expanded)) return expanded;
  const { dates, untilAt } = expanded;
  const untilMs = untilAt === undefined ? Number.NaN : Date.parse(`${untilAt}Z`) + offsetMinutes * 60_000;
  return dates
    .filter(
      ({ date, firstSecond }) =>
        firstSecond === undefined || Date.parse(date) + firstSecond * 1000 <= untilMs,
    )
    .map(({ date }) => date);
}

/** Times of each date that names some, as they fall in that zone. */
export function timesInZone(expanded: RuleDates, offsetMinutes: number): number[][] {
  if (!("dates" in expanded)) return [];
  const { dates, untilAt } = expanded;
  const untilMs =
    untilAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(`${untilAt}Z`) + offsetMinutes * 60_000;
  return dates
    .map(({ date, times = [] }) => times.filter((time) => Date.parse(date) + time * 1000 <= untilMs))
    .filter((times) => times.length > 0);
}
