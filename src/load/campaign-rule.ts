import { type CampaignDates, findAnchor } from "./rules/anchor.ts";
import { findLocalDay, type LocalDay, localDayText, yearOf } from "./rules/local-day.ts";
import { type Recurrence, readRecurrence } from "./rules/recurrence.ts";
import { RuleError } from "./rules/rule-error.ts";
import { splitRule } from "./rules/rule-parts.ts";
import { joinTimes, type Strand, splitStrands } from "./rules/strand.ts";
import { findYearDays } from "./rules/year-days.ts";

/** A day's last second. */
const dayEnd = 86_399;

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
 * - COUNT counts occurrences, each time of a date for itself, from the first day on which the campaign may run: DTSTART
 *   or start_date, else the day after add_date. That day is one only where the rule occurs on it.
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
    const firstDay = anchor?.firstDay ?? from;
    const begin = recurrence.count === undefined ? Math.max(from, firstDay) : firstDay;
    const found = occurrences(splitStrands(recurrence, anchor), begin, to, (day, times) => {
      const first = day === anchor?.day ? anchor.second : 0;
      const last = (day === recurrence.until?.day ? recurrence.until.second : undefined) ?? dayEnd;
      return first > 0 || last < dayEnd ? times.filter((time) => time >= first && time <= last) : times;
    });
    return { dates: takeDates(found, recurrence.count, from) };
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

interface Occurrences {
  day: LocalDay;
  /** In seconds since the day began, in order; at least one. */
  times: readonly number[];
}

/** Days in order, each once. */
function* occurrences(
  strands: readonly Strand[],
  begin: LocalDay,
  end: LocalDay,
  clip: (day: LocalDay, times: readonly number[]) => readonly number[],
): Generator<Occurrences> {
  if (begin > end) return;
  const lastYear = yearOf(end);
  for (let year = yearOf(begin); year <= lastYear; year += 1) {
    const strandsByDay = new Map<LocalDay, Strand[]>();
    for (const strand of strands) {
      for (const day of findYearDays(strand.dayRule, year)) {
        if (day >= begin && day <= end) strandsByDay.set(day, [...(strandsByDay.get(day) ?? []), strand]);
      }
    }
    for (const [day, own] of [...strandsByDay].sort(([a], [b]) => a - b)) {
      const times = clip(day, joinTimes(own, day));
      if (times.length > 0) yield { day, times };
    }
  }
}

function takeDates(found: Iterable<Occurrences>, count: number | undefined, from: LocalDay): string[] {
  const dates: string[] = [];
  let taken = 0;
  for (const { day, times } of found) {
    if (day >= from) dates.push(localDayText(day));
    taken += times.length;
    if (count !== undefined && taken >= count) break;
  }
  return dates;
}
