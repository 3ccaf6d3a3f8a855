import { findLocalDay, formatLocalDay, type LocalDay, yearOf } from "./recurrence/local-day.ts";
import { type Recurrence, readRecurrence } from "./recurrence/recurrence.ts";
import { RuleError, splitRule } from "./recurrence/rule-parts.ts";
import { type CampaignDates, findAnchor, type Until } from "./recurrence/rule-time.ts";
import { joinTimes, type Strand, splitStrands } from "./recurrence/strand.ts";
import { findYearDays } from "./recurrence/year-days.ts";

const dayEnd = 86_399;

/** Dates on which a campaign's rule has an occurrence, or the error in the rule. */
export type RuleDates = { dates: RuleDate[]; untilAt?: string } | { everyDay: true } | { error: string };

/**
 * A local date on which a rule has an occurrence, in every zone or (see `firstSecond`) only in zones far
 * enough east.
 */
interface RuleDate {
  /** `YYYY-MM-DD`. */
  date: string;
  /**
   * Time of the first occurrence, in seconds since the day began. The date applies to a zone only if this
   * local time is not after `untilAt`. Absent if the date applies to every zone.
   */
  firstSecond?: number;
  /**
   * Only for rules that specify times of day: times of the occurrences, in seconds since the day began, in
   * order.
   */
  times?: readonly number[];
}

export interface RulePeriod extends CampaignDates {
  /** First and last local date to return, inclusive (`YYYY-MM-DD`). */
  from: string;
  to: string;
}

/**
 * Returns the local dates, in order, on which a campaign's rule (RFC 5545; docs/service.md, campaign) has an
 * occurrence.
 *
 * - An empty rule applies every day and never ends.
 * - Times are floating: they are local times of the zone that plays the campaign, including times that the
 *   change to summer time skips. A time zone in DTSTART is ignored. An UNTIL without time includes its whole
 *   day. An UNTIL that is an instant ends the rule at a different local time in each time zone, so dates near
 *   it have `firstSecond`.
 * - COUNT counts occurrences, and each time on a date is one. Counting starts on the first day on which the
 *   campaign may run: DTSTART or start_date, otherwise the day after add_date. That day counts only if the
 *   rule has an occurrence on it.
 * - Without any of these dates, a rule must specify its days itself, and COUNT and INTERVAL over 1 are
 * errors.
 * - A rule specifies times of day with BYHOUR, BYMINUTE, HOURLY or MINUTELY. Only the first time in each
 * minute is returned.
 *
 * @returns `untilAt`: UNTIL if it is an instant, in UTC (`YYYY-MM-DD HH:MM:SS`); `error`: a short message for
 *   people. Invalid rules do not throw.
 */
export function expandRule(rule: string, period: RulePeriod): RuleDates {
  try {
    const { parts, dtStart } = splitRule(rule);
    if (parts.size === 0) return { everyDay: true };
    const recurrence = readRecurrence(parts);
    const anchor = findAnchor(dtStart, period);
    if (anchor === undefined) assertNoCounting(recurrence);
    const from = getDay(period.from);
    const { until } = recurrence;
    const to = Math.min(getDay(period.to), findLastDay(until));
    const firstDay = anchor?.firstDay ?? from;
    const begin = recurrence.count === undefined ? Math.max(from, firstDay) : firstDay;
    const found = iterateOccurrences(splitStrands(recurrence, anchor), begin, to, (day, times) => {
      const first = day === anchor?.day ? anchor.second : 0;
      const last = (day === until?.day && !until.isInstant ? until.second : undefined) ?? dayEnd;
      return first > 0 || last < dayEnd ? times.filter((time) => time >= first && time <= last) : times;
    });
    const hasTimes = namesTimes(recurrence);
    const dates = takeDates(found, recurrence.count, from).map(({ day, times }) => ({
      date: formatLocalDay(day),
      ...(times[0] !== undefined && isNearInstant(day, until) ? { firstSecond: times[0] } : {}),
      ...(hasTimes ? { times: keepFirstOfMinutes(times) } : {}),
    }));
    return { dates, ...(until?.isInstant ? { untilAt: formatInstant(until) } : {}) };
  } catch (error) {
    if (error instanceof RuleError) return { error: error.message };
    throw error;
  }
}

function namesTimes({ frequency, hours, minutes }: Recurrence): boolean {
  if (frequency === "SECONDLY") return false;
  return frequency === "HOURLY" || frequency === "MINUTELY" || (hours ?? minutes) !== undefined;
}

function keepFirstOfMinutes(times: readonly number[]): number[] {
  const minuteOf = (time: number | undefined) => time !== undefined && Math.floor(time / 60);
  return times.filter((time, index) => minuteOf(time) !== minuteOf(times[index - 1]));
}

function assertNoCounting({ count, interval }: Recurrence): void {
  const part = count !== undefined ? "COUNT" : interval > 1 ? `INTERVAL=${interval}` : undefined;
  if (part) throw new RuleError(`${part} needs a start_date to count from`);
}

/**
 * Returns the last local day on which any zone can have an occurrence. Clocks are less than a day ahead of
 * UTC.
 */
function findLastDay(until: Until | undefined): LocalDay {
  if (until === undefined) return Number.POSITIVE_INFINITY;
  return until.isInstant ? until.day + 1 : until.day;
}

/** Returns true if, on this local day, UNTIL may have passed in some zones but not in others. */
function isNearInstant(day: LocalDay, until: Until | undefined): boolean {
  return until?.isInstant === true && Math.abs(day - until.day) <= 1;
}

function formatInstant({ day, second = 0 }: Until): string {
  return `${formatLocalDay(day)} ${new Date(second * 1000).toISOString().slice(11, 19)}`;
}

function getDay(date: string): LocalDay {
  const day = findLocalDay(date);
  if (day === undefined) throw new RangeError(`${date} is not a date.`);
  return day;
}

interface Occurrences {
  day: LocalDay;
  /** Seconds since the day began, in order. Never empty. */
  times: readonly number[];
}

/** Yields each day with an occurrence once, in order. */
function* iterateOccurrences(
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

function takeDates(found: Iterable<Occurrences>, count: number | undefined, from: LocalDay): Occurrences[] {
  const dates: Occurrences[] = [];
  let taken = 0;
  for (const date of found) {
    const times = count === undefined ? date.times : date.times.slice(0, count - taken);
    if (date.day >= from) dates.push({ day: date.day, times });
    taken += times.length;
    if (count !== undefined && taken >= count) break;
  }
  return dates;
}
