import type { Cron } from "croner";
import type { Clock } from "../util/clock.ts";

/** A command that runs on a cron schedule. */
export interface Job {
  /** E.g. `venue run`. */
  name: string;
  pattern: Pick<Cron, "nextRun">;
  /** Returns the start of the latest run that did the job's work, started by `upTo` and was not killed. */
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
  /** @param next the job's next due time */
  onEnd(job: Job, exitCode: number, next: Date): void;
  /** Called if a job can't be started, or its last start can't be read. It is retried after a minute. */
  onError(error: unknown): void;
}

/** Longest wait before the clock is read again. The clock may be changed, or the machine may sleep. */
const longestWaitMs = 60_000;

/** Exit code of a command that found another run using the data folder. */
const busyCode = 75;

const dayMs = 86_400_000;

/**
 * Starts each job when it is due, one at a time, in the given order if several are due. A job that never ran is due
 * now. A job that became due while the machine was off or another job was running is started once. A job that was
 * killed is started again.
 * @throws if the last starts can't be read at the beginning
 */
export async function keepSchedule(jobs: readonly Job[], options: ScheduleOptions): Promise<void> {
  const { clock, signal, onPlan, onStart, onEnd, onError } = options;
  // A command that fails before its run is recorded, e.g. on a malformed setting, is not repeated at once.
  const attempts = new Map<Job, Date>();
  const killed = new Set<Job>();
  const findDue = async (job: Job, now: Date): Promise<Date> => {
    // A start far in the future was recorded when the clock was wrong.
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
 * Returns the pattern's next instant. If there is none, returns an instant that is never reached. If an hour occurs
 * twice, only the first one is used. After the second, croner returns the same instants again, so they are skipped.
 */
function findNextDue(pattern: Job["pattern"], after: Date): Date {
  let next = pattern.nextRun(after);
  while (next !== null && next <= after) next = pattern.nextRun(next);
  return next ?? new Date(8.64e15);
}

async function pause(durationMs: number, { clock, signal }: ScheduleOptions): Promise<void> {
  await clock.sleep(durationMs, signal).catch(() => {});
}
