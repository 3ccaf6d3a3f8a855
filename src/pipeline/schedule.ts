import type { Cron } from "croner";
import type { Clock } from "../util/clock.ts";

/** A command that is started whenever its pattern is due. */
export interface Job {
  /** E.g. `venue run`. */
  name: string;
  pattern: Pick<Cron, "nextRun">;
  /** Finds the latest start, up to an instant, of a run that did the job's work and was not killed. */
  findLastStart(upTo: Date): Promise<Date | undefined>;
  /** Runs the command to its end, or until the signal aborts. @returns its exit code */
  start(signal: AbortSignal): Promise<number>;
}

export interface ScheduleOptions {
  clock: Clock;
  /** Ends the schedule: no further job is started, and a running one is awaited. */
  signal: AbortSignal;
  /** Called for each job before the first starts. @param due now or earlier for one that starts at once */
  onPlan(job: Job, due: Date): void;
  onStart(job: Job): void;
  /** @param next when the job is due next */
  onEnd(job: Job, exitCode: number, next: Date): void;
  /** Called if a job can't be started, or its last start can't be read. It is retried after a minute. */
  onError(error: unknown): void;
}

/** Longest wait until the clock is read again, because it may be set, or the machine may sleep. */
const longestWaitMs = 60_000;

/** Exit code of a command that found another run using the data folder. */
const busyCode = 75;

const dayMs = 86_400_000;

/**
 * Starts each job when it is due, one at a time, in the given order if several are due. A job that never ran is
 * due now. A job that became due while the machine was off, or another job was running, is started once; a killed
 * one is started again.
 * @throws if the last starts can't be read at the beginning
 */
export async function keepSchedule(jobs: readonly Job[], options: ScheduleOptions): Promise<void> {
  const { clock, signal, onPlan, onStart, onEnd, onError } = options;
  // A command that fails before its run is recorded, e.g. on a malformed setting, is not repeated at once.
  const attempts = new Map<Job, Date>();
  const killed = new Set<Job>();
  const findDue = async (job: Job, now: Date): Promise<Date> => {
    // A start far in the future is from a time when the clock was wrong.
    const upTo = new Date(now.getTime() + dayMs);
    const starts = [await job.findLastStart(upTo), attempts.get(job)].filter((start) => start !== undefined);
    const last = Math.max(...starts.map(Number).filter((start) => start <= Number(upTo)));
    return Number.isFinite(last) ? findNextDue(job.pattern, new Date(last)) : now;
  };
  for (const job of jobs) onPlan(job, await findDue(job, clock.now()));
  /** @returns how long to wait before the next call */
  const startNext = async (): Promise<number> => {
    const now = clock.now();
    const dues = await Promise.all(jobs.map(async (job) => ({ job, due: await findDue(job, now) })));
    const ready = dues.find(({ due }) => due <= now);
    if (ready === undefined) {
      return Math.min(longestWaitMs, ...dues.map(({ due }) => due.getTime() - now.getTime()));
    }
    const { job } = ready;
    onStart(job);
    const exitCode = await job.start(signal);
    const isKilled = exitCode > 128;
    const isRepeated = exitCode === busyCode || (isKilled && !killed.has(job));
    killed.delete(job);
    if (isKilled && isRepeated) killed.add(job);
    if (!isRepeated) attempts.set(job, now);
    onEnd(job, exitCode, await findDue(job, clock.now()));
    return isRepeated ? longestWaitMs : 0;
  };
  while (!signal.aborted) {
    const waitMs = await startNext().catch((error: unknown) => {
      onError(error);
      return longestWaitMs;
    });
    if (waitMs > 0) await pause(waitMs, options);
  }
}

/**
 * Returns the pattern's next instant or, if there is none, an instant that is never reached. If an hour occurs twice,
 * only the first one is used: after the second, croner returns its times again.
 */
function findNextDue(pattern: Job["pattern"], after: Date): Date {
  let next = pattern.nextRun(after);
  while (next !== null && next <= after) next = pattern.nextRun(next);
  return next ?? new Date(8.64e15);
}

async function pause(durationMs: number, { clock, signal }: ScheduleOptions): Promise<void> {
  await clock.sleep(durationMs, signal).catch(() => {});
}
