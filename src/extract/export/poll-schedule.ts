/** Polls of a job that has no history start this soon, and are never closer together than this. */
const shortestMs = 1_000;
const longestMs = 60_000;

/**
 * How long to wait before polling an export job again. The service says nothing about how long exports take, so
 * the wait follows how long this group's jobs took before: the first poll comes when most would be done, later
 * ones after a tenth of the time that has passed. Without history the wait doubles.
 *
 * @param elapsedMs since the job was created
 * @param earlierMs what earlier jobs of this group and kind took, in any order
 */
export function pollDelayMs(elapsedMs: number, earlierMs: readonly number[]): number {
  const usualMs = median(earlierMs);
  const waitMs =
    usualMs === undefined ? elapsedMs : elapsedMs < usualMs ? usualMs - elapsedMs : elapsedMs / 10;
  return Math.min(Math.max(waitMs, shortestMs), longestMs);
}

/** How often a job is polled until it is seen to be done, and when that is, in milliseconds after its creation. */
export function pollsUntil(
  durationMs: number,
  earlierMs: readonly number[],
): { polls: number; seenMs: number } {
  let [polls, seenMs] = [0, 0];
  while (polls === 0 || seenMs < durationMs) {
    seenMs += pollDelayMs(seenMs, earlierMs);
    polls += 1;
  }
  return { polls, seenMs };
}

/** With more open jobs than these, polls are held back. */
const fewJobs = 8;

/** Polls of many jobs together use half of the agreed rate at most: the least wait between two polls of one job. */
export function leastPollDelayMs(openJobs: number, ratePerSecond: number): number {
  return Math.max(0, ((openJobs - fewJobs) * 2000) / ratePerSecond);
}

export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
