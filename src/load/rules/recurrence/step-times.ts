import type { Anchor } from "./anchor.ts";
import type { LocalDay } from "./local-day.ts";
import type { Recurrence } from "./recurrence.ts";

/** For rules in hours, minutes or seconds: the times of a day, in seconds since it began, in order. */
export function findStepTimes(
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
  // Days whose first step is the same are alike. All lists together have no more than the seconds of a day.
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

/** The times within a step, in seconds since it began: BYMINUTE and BYSECOND add to an hour, BYSECOND to a minute. */
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
