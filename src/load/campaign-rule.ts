import { type CampaignDates, findAnchor } from "./rules/anchor.ts";
import { findLocalDay, type LocalDay, localDayText, yearOf } from "./rules/local-day.ts";
import { type Recurrence, readRecurrence } from "./rules/recurrence.ts";
import { RuleError } from "./rules/rule-error.ts";
import { splitRule } from "./rules/rule-parts.ts";
import { type Strand, splitStrands } from "./rules/strand.ts";
import { findYearDays } from "./rules/year-days.ts";

/** The dates on which a campaign's rule has an occurrence, or why that can't be told. */
export type RuleDates = { dates: string[] } | { everyDay: true } | { error: string };

export interface RulePeriod extends CampaignDates {
  /** First and last local date asked for, inclusive (`YYYY-MM-DD`). */
  from: string;
  to: string;
}

/**
 * The local dates, in order, on which a campaign's rule (RFC 5545, interface.md: campaign record) has an occurrence.
 *
 * - A rule that says nothing holds every day, and has no end.
 * - Times are floating: local times of whatever zone plays it, those that a spring change skips included. Zones in
 *   DTSTART and the Z of UNTIL are dropped. A UNTIL without time includes its whole day.
 * - COUNT counts dates, from the anchor on: times that share a date are one, and the anchor is one only where the rule
 *   occurs on it.
 * - Without anchor, a rule must say its days by itself; COUNT and INTERVAL over 1 are errors.
 *
 * @returns `error`: short, for people; nothing is thrown for any text
 */
export function expandRule(rule: string, period: RulePeriod): RuleDates {
  try {
    const { parts, dtStart } = splitRule(rule);
    if (parts.size === 0) return { everyDay: true };
    const recurrence = readRecurrence(parts);
    const anchor = findAnchor(dtStart, period);
    if (anchor === undefined) refuseCounting(recurrence);
    const from = getDay(period.from);
    const to = Math.min(getDay(period.to), recurrence.until?.day ?? Number.POSITIVE_INFINITY);
    const begin =
      anchor === undefined ? from : recurrence.count === undefined ? Math.max(from, anchor.day) : anchor.day;
    const hasTime = (strand: Strand, day: LocalDay) =>
      strand.hasTime(
        day,
        day === anchor?.day ? anchor.second : 0,
        (day === recurrence.until?.day ? recurrence.until.second : undefined) ?? 86_399,
      );
    const days = occurrenceDays(splitStrands(recurrence, anchor), begin, to, hasTime);
    return { dates: takeDates(days, recurrence.count, from) };
  } catch (error) {
    if (error instanceof RuleError) return { error: error.message };
    throw error;
  }
}

function refuseCounting({ count, interval }: Recurrence): void {
  const part = count !== undefined ? "COUNT" : interval > 1 ? `INTERVAL=${interval}` : undefined;
  if (part) throw new RuleError(`${part} needs a start_date to count from`);
}

function getDay(date: string): LocalDay {
  const day = findLocalDay(date);
  if (day === undefined) throw new RangeError(`${date} is no date.`);
  return day;
}

/** In order, each once. */
function* occurrenceDays(
  strands: readonly Strand[],
  begin: LocalDay,
  end: LocalDay,
  hasTime: (strand: Strand, day: LocalDay) => boolean,
): Generator<LocalDay> {
  if (begin > end) return;
  const lastYear = yearOf(end);
  for (let year = yearOf(begin); year <= lastYear; year += 1) {
    const found = strands.map((strand) =>
      findYearDays(strand.dayRule, year).filter((day) => day >= begin && day <= end && hasTime(strand, day)),
    );
    const [only = []] = found;
    yield* found.length < 2 ? only : [...new Set(found.flat())].sort((a, b) => a - b);
  }
}

function takeDates(days: Iterable<LocalDay>, count: number | undefined, from: LocalDay): string[] {
  const dates: string[] = [];
  let taken = 0;
  for (const day of days) {
    if (day >= from) dates.push(localDayText(day));
    taken += 1;
    if (taken === count) break;
  }
  return dates;
}
