import type { Anchor } from "./anchor.ts";
import { isOnCadence } from "./cadence.ts";
import { type DayRule, writeDayRule } from "./day-rule.ts";
import type { LocalDay } from "./local-day.ts";
import type { Recurrence } from "./recurrence.ts";
import { findStepTimes } from "./step-times.ts";

/** Times on the days that a rule chooses; a recurrence is all of its strands together. */
export interface Strand {
  dayRule: DayRule;
  /** Its times on one of these days, in seconds since it began: in order, each once. */
  timesOn(day: LocalDay): readonly number[];
}

/**
 * Splits what a recurrence says about days from what it says about hours, so that no list of all its times is ever
 * made: `FREQ=SECONDLY` has 31 million a year.
 * @throws {RuleError}
 */
export function splitStrands(recurrence: Recurrence, anchor: Anchor | undefined): Strand[] {
  switch (recurrence.frequency) {
    case "HOURLY":
    case "MINUTELY":
    case "SECONDLY": {
      const timesOn = findStepTimes(recurrence, anchor);
      return [{ dayRule: writeDayRule(recurrence, anchor, undefined), timesOn }];
    }
    default:
      return splitDayStrands(recurrence, anchor);
  }
}

/**
 * Of rules in days, weeks, months and years. With three times a day, BYSETPOS=5 is the second day's second time: one
 * strand for each day so chosen.
 */
function splitDayStrands(recurrence: Recurrence, anchor: Anchor | undefined): Strand[] {
  const times = timesOfDay(recurrence, anchor?.second ?? 0);
  const strand = (dayPositions: readonly number[] | undefined, chosen: readonly number[]): Strand => ({
    dayRule: writeDayRule(recurrence, anchor, dayPositions),
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
  const chosenDays = [...timesByDay].map(([dayPosition, chosen]) => [dayPosition, inOrder(chosen)] as const);
  if (!isDaily) return chosenDays.map(([dayPosition, chosen]) => strand([dayPosition], chosen));
  // The one day is the first and the last.
  return chosenDays
    .filter(([dayPosition]) => Math.abs(dayPosition) === 1)
    .map(([, chosen]) => strand(undefined, chosen));
}

/** The times of one day, of all strands that have it. */
export function joinTimes(strands: readonly Strand[], day: LocalDay): readonly number[] {
  const [only = [], ...others] = strands.map((strand) => strand.timesOn(day));
  return others.length === 0 ? only : inOrder(new Set([only, ...others].flat()));
}

function inOrder(times: Iterable<number>): number[] {
  return [...times].sort((a, b) => a - b);
}

/** In seconds, in order; what the rule doesn't say is the anchor's. */
function timesOfDay(recurrence: Recurrence, anchorSecond: number): number[] {
  const { hours = [Math.floor(anchorSecond / 3600)] } = recurrence;
  const { minutes = [Math.floor(anchorSecond / 60) % 60], seconds = [anchorSecond % 60] } = recurrence;
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => hour * 3600 + minute * 60 + second)),
  );
}
