import type { Anchor } from "./anchor.ts";
import { isOnCadence } from "./cadence.ts";
import { type DayRule, writeDayRule } from "./day-rule.ts";
import type { LocalDay } from "./local-day.ts";
import type { Recurrence } from "./recurrence.ts";
import { findStepTimes } from "./step-times.ts";

/** Times on the days that a rule chooses; a recurrence is all of its strands together. */
export interface Strand {
  dayRule: DayRule;
  /** Whether it has a time on one of these days, from one second of the day to another, both inclusive. */
  hasTime(day: LocalDay, first: number, last: number): boolean;
}

/**
 * Splits what a recurrence says about days from what it says about hours, so that no list of its times is ever made:
 * `FREQ=SECONDLY` has 31 million a year.
 * @throws {RuleError}
 */
export function splitStrands(recurrence: Recurrence, anchor: Anchor | undefined): Strand[] {
  switch (recurrence.frequency) {
    case "HOURLY":
    case "MINUTELY":
    case "SECONDLY": {
      const hasTime = findStepTimes(recurrence, anchor);
      return [{ dayRule: writeDayRule(recurrence, anchor, undefined), hasTime }];
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
    hasTime: (day, first, last) =>
      (anchor === undefined || isOnCadence(recurrence, anchor.day, day)) &&
      chosen.some((time) => time >= first && time <= last),
  });
  const { positions } = recurrence;
  const isDaily = recurrence.frequency === "DAILY";
  if (positions === undefined || (times.length === 1 && !isDaily)) return [strand(positions, times)];
  const timesByDay = new Map<number, number[]>();
  for (const position of positions) {
    const dayPosition = Math.sign(position) * Math.ceil(Math.abs(position) / times.length);
    const index = (Math.abs(position) - 1) % times.length;
    const time = times.at(position > 0 ? index : -1 - index) ?? 0;
    timesByDay.set(dayPosition, [...(timesByDay.get(dayPosition) ?? []), time]);
  }
  const chosenDays = [...timesByDay];
  if (!isDaily) return chosenDays.map(([dayPosition, chosen]) => strand([dayPosition], chosen));
  // The one day is the first and the last.
  return chosenDays
    .filter(([dayPosition]) => Math.abs(dayPosition) === 1)
    .map(([, chosen]) => strand(undefined, chosen));
}

/** In seconds, in order; what the rule doesn't say is the anchor's. */
function timesOfDay(recurrence: Recurrence, anchorSecond: number): number[] {
  const { hours = [Math.floor(anchorSecond / 3600)] } = recurrence;
  const { minutes = [Math.floor(anchorSecond / 60) % 60], seconds = [anchorSecond % 60] } = recurrence;
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => hour * 3600 + minute * 60 + second)),
  );
}
