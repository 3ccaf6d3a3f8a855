import { createDayRule, type DayRule } from "./day-rule.ts";
import { type LocalDay, monthOf, weekdayOf, yearOf } from "./local-day.ts";
import type { Recurrence } from "./recurrence.ts";
import type { Anchor } from "./rule-time.ts";

/** A rule for days, combined with times on these days. A recurrence is the union of its strands. */
export interface Strand {
  dayRule: DayRule;
  /** Returns the distinct times on one of these days, in seconds since the day began, in order. */
  timesOn(day: LocalDay): readonly number[];
}

/**
 * Separates the days of a recurrence from its times of day. This avoids listing every occurrence, because
 * `FREQ=SECONDLY` has 31 million a year.
 * @throws {RuleError}
 */
export function splitStrands(recurrence: Recurrence, anchor: Anchor | undefined): Strand[] {
  switch (recurrence.frequency) {
    case "HOURLY":
    case "MINUTELY":
    case "SECONDLY": {
      const timesOn = findStepTimes(recurrence, anchor);
      return [{ dayRule: createDayRule(recurrence, anchor, undefined), timesOn }];
    }
    default:
      return splitDayStrands(recurrence, anchor);
  }
}

/**
 * Splits daily, weekly, monthly and yearly rules. BYSETPOS counts occurrences, so with three times a day,
 * BYSETPOS=5 selects the second time on the second day. The result has one strand per selected day.
 */
function splitDayStrands(recurrence: Recurrence, anchor: Anchor | undefined): Strand[] {
  const times = listTimesOfDay(recurrence, anchor?.second ?? 0);
  const strand = (dayPositions: readonly number[] | undefined, chosen: readonly number[]): Strand => ({
    dayRule: createDayRule(recurrence, anchor, dayPositions),
    timesOn: (day) => (anchor === undefined || isOnCadence(recurrence, anchor.day, day) ? chosen : []),
  });
  const { positions } = recurrence;
  const isDaily = recurrence.frequency === "DAILY";
  if (positions === undefined || (times.length === 1 && !isDaily)) return [strand(positions, times)];
  const timesByDay = new Map<number, Set<number>>();
  for (const position of positions) {
    const dayPosition = Math.sign(position) * Math.ceil(Math.abs(position) / times.length);
    const index = (Math.abs(position) - 1) % times.length;
    const time = times.at(position > 0 ? index : -1 - index) ?? 0;
    timesByDay.set(dayPosition, (timesByDay.get(dayPosition) ?? new Set()).add(time));
  }
  const chosenDays = [...timesByDay].map(
    ([dayPosition, chosen]) => [dayPosition, sortTimes(chosen)] as const,
  );
  if (!isDaily) return chosenDays.map(([dayPosition, chosen]) => strand([dayPosition], chosen));
  // A daily rule's period is one day, which is both the first (1) and the last (-1).
  return chosenDays
    .filter(([dayPosition]) => Math.abs(dayPosition) === 1)
    .map(([, chosen]) => strand(undefined, chosen));
}

/** Returns the times on one day in all strands. */
export function joinTimes(strands: readonly Strand[], day: LocalDay): readonly number[] {
  const [only = [], ...others] = strands.map((strand) => strand.timesOn(day));
  return others.length === 0 ? only : sortTimes(new Set([only, ...others].flat()));
}

function sortTimes(times: Iterable<number>): number[] {
  return [...times].sort((a, b) => a - b);
}

/** Returns seconds since the day began, in order. Parts missing from the rule are taken from the anchor. */
function listTimesOfDay(recurrence: Recurrence, anchorSecond: number): number[] {
  const { hours = [Math.floor(anchorSecond / 3600)] } = recurrence;
  const { minutes = [Math.floor(anchorSecond / 60) % 60], seconds = [anchorSecond % 60] } = recurrence;
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => hour * 3600 + minute * 60 + second)),
  );
}

/**
 * Returns true if INTERVAL allows occurrences in the period (day, week, month or year) that contains this
 * day.
 */
function isOnCadence(recurrence: Recurrence, anchorDay: LocalDay, day: LocalDay): boolean {
  if (recurrence.interval === 1) return true;
  return (getPeriod(recurrence, day) - getPeriod(recurrence, anchorDay)) % recurrence.interval === 0;
}

/**
 * Returns the number of the period (day, week, month or year) that contains this day. Adjacent periods differ
 * by 1.
 */
function getPeriod({ frequency, weekStart }: Recurrence, day: LocalDay): number {
  switch (frequency) {
    case "WEEKLY":
      return (day - ((weekdayOf(day) - weekStart + 7) % 7) - weekStart + 3) / 7;
    case "MONTHLY":
      return yearOf(day) * 12 + monthOf(day);
    // This also applies to BYWEEKNO: December 31 belongs to its own calendar year, even if it is in week 1 of
    // the next.
    case "YEARLY":
      return yearOf(day);
    default:
      return day;
  }
}

/**
 * Creates a function that returns the times on a day for an hourly, minutely or secondly rule, in seconds
 * since the day began, in order.
 */
function findStepTimes(
  recurrence: Recurrence,
  anchor: Pick<Anchor, "day" | "second"> = { day: 0, second: 0 },
): (day: LocalDay) => readonly number[] {
  const { interval } = recurrence;
  const stepSeconds = { HOURLY: 3600, MINUTELY: 60 }[recurrence.frequency as string] ?? 1;
  const stepsPerDay = 86_400 / stepSeconds;
  const anchorStep = anchor.day * stepsPerDay + Math.floor(anchor.second / stepSeconds);
  const offsets = chooseOffsets(recurrence, stepSeconds, anchor.second);
  const hours = recurrence.hours && new Set(recurrence.hours);
  const minutes = stepSeconds < 3600 && recurrence.minutes && new Set(recurrence.minutes);
  const seconds = stepSeconds < 60 && recurrence.seconds && new Set(recurrence.seconds);
  const isAllowed = (second: number) =>
    (!hours || hours.has(Math.floor(second / 3600))) &&
    (!minutes || minutes.has(Math.floor(second / 60) % 60)) &&
    (!seconds || seconds.has(second % 60));

  const listTimes = (firstStep: number) => {
    const times: number[] = [];
    for (let step = firstStep; step < stepsPerDay; step += interval) {
      const second = step * stepSeconds;
      if (isAllowed(second)) times.push(...offsets.map((offset) => second + offset));
    }
    return times;
  };
  // Days with the same first step share a list. All lists together have at most 86,400 times, one per second
  // of a day.
  const kept = new Map<number, readonly number[]>();
  return (day) => {
    const distance = (anchorStep - day * stepsPerDay) % interval;
    const firstStep = distance < 0 ? distance + interval : distance;
    if (firstStep >= stepsPerDay) return [];
    const times = kept.get(firstStep) ?? listTimes(firstStep);
    kept.set(firstStep, times);
    return times;
  };
}

/**
 * Returns the seconds of the occurrences within a step. An hour is divided by BYMINUTE and BYSECOND, a minute
 * by BYSECOND.
 */
function chooseOffsets(recurrence: Recurrence, stepSeconds: number, anchorSecond: number): number[] {
  const { positions, minutes = [Math.floor(anchorSecond / 60) % 60] } = recurrence;
  const seconds = stepSeconds === 1 ? [0] : (recurrence.seconds ?? [anchorSecond % 60]);
  const offsets =
    stepSeconds === 3600
      ? minutes.flatMap((minute) => seconds.map((second) => minute * 60 + second))
      : seconds;
  if (positions === undefined) return offsets;
  const chosen = positions.map((position) => offsets.at(position > 0 ? position - 1 : position));
  return [...new Set(chosen)].filter((offset) => offset !== undefined).sort((a, b) => a - b);
}
