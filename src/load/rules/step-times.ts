import type { Anchor } from "./anchor.ts";
import type { LocalDay } from "./local-day.ts";
import type { Recurrence } from "./recurrence.ts";

const dayEnd = 86_399;

/** For rules in hours, minutes or seconds: whether one of their steps falls on a day, between two of its seconds. */
export function findStepTimes(
  recurrence: Recurrence,
  anchor: Anchor = { day: 0, second: 0 },
): (day: LocalDay, first: number, last: number) => boolean {
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

  const hasStep = (firstStep: number, first: number, last: number) => {
    for (let step = firstStep; step < stepsPerDay; step += interval) {
      const second = step * stepSeconds;
      if (second > last) return false;
      if (!isAllowed(second)) continue;
      if (offsets.some((offset) => second + offset >= first && second + offset <= last)) return true;
    }
    return false;
  };
  // Days whose first step is the same are alike.
  const wholeDays = new Map<number, boolean>();
  return (day, first, last) => {
    const distance = (anchorStep - day * stepsPerDay) % interval;
    const firstStep = distance < 0 ? distance + interval : distance;
    if (firstStep >= stepsPerDay) return false;
    if (first > 0 || last < dayEnd) return hasStep(firstStep, first, last);
    const isKnown = wholeDays.get(firstStep);
    if (isKnown !== undefined) return isKnown;
    const isFound = hasStep(firstStep, first, last);
    wholeDays.set(firstStep, isFound);
    return isFound;
  };
}

/** The times within a step, in seconds since it began: BYMINUTE and BYSECOND add to an hour, BYSECOND to a minute. */
function chooseOffsets(recurrence: Recurrence, stepSeconds: number, anchorSecond: number): number[] {
  const { positions, minutes = [Math.floor(anchorSecond / 60) % 60] } = recurrence;
  const seconds = stepSeconds === 1 ? [0] : (recurrence.seconds ?? [anchorSecond % 60]);
  const offsets =
    stepSeconds === 3600
      ? minutes.flatMap((minute) => seconds.map((second) => minute * 60 + second))
      : seconds;
  if (positions === undefined) return offsets;
  return positions.flatMap((position) => offsets.at(position > 0 ? position - 1 : position) ?? []);
}
