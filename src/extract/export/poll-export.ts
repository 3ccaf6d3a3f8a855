import { ServiceFailedError, ServiceRefusedError, UnexpectedResponseError } from "../../api/errors.ts";
import { notReadyInTime } from "../../state/data/export-jobs.ts";
import { monotonicMs } from "../../util/clock.ts";
import type { ExtractContext } from "../extract-context.ts";
import { priority } from "../request-gate.ts";
import { limits } from "./export-policy.ts";
import { type AcceptedJob, isRefused } from "./request-export.ts";

interface PollResult {
  response: "processing" | "completed" | "failed" | "unknown" | "refused" | "broken" | "unavailable";
  /** Download link of a completed job. */
  link?: string;
  /** Reason to record if the job produces no file. */
  reason?: string;
  error?: unknown;
}

/** Polls one job until the service returns a link. A new instance is needed if that link expires. */
export class ExportPolls {
  readonly #job: AcceptedJob;
  readonly #context: ExtractContext;
  /** Durations of earlier jobs for this group and kind, in milliseconds. */
  readonly #earlierMs: readonly number[];
  readonly #startedMs = monotonicMs();
  readonly #ageAtStartMs: number;
  /** True if the job was probably completed before the first poll. */
  readonly #isDue: boolean;
  #isFirst = true;

  constructor(job: AcceptedJob, context: ExtractContext) {
    this.#job = job;
    this.#context = context;
    this.#earlierMs = context.state.exportJobs.record(context.service, job.kind, job.group_id).durationsMs;
    this.#ageAtStartMs = Math.max(0, Date.now() - Date.parse(job.created_at));
    this.#isDue = job.state === "completed" || this.#ageAtStartMs >= computePollDelayMs(0, this.#earlierMs);
  }

  /** Time since this instance was created, in milliseconds. */
  get waitedMs(): number {
    return monotonicMs() - this.#startedMs;
  }

  /**
   * Waits until the next poll is worthwhile, and polls.
   * @param unknownPolls number of consecutive polls in which the service did not recognise the job
   */
  async next(unknownPolls: number): Promise<PollResult> {
    const { clock, stopping, openExports, ratePerSecond } = this.#context;
    const unknownWaitMs = limits.unknownWaitsMs[unknownPolls - 1];
    if (unknownWaitMs !== undefined) await clock.sleep(unknownWaitMs, stopping);
    else if (!this.#isFirst || !this.#isDue) {
      const leastMs = minPollDelayMs(openExports.count, ratePerSecond);
      await clock.sleep(Math.max(computePollDelayMs(this.#ageMs(), this.#earlierMs), leastMs), stopping);
    }
    const polled = await this.#poll();
    if (polled.response === "completed") this.#recordCompletion();
    if (polled.response !== "unknown") this.#isFirst = false;
    return polled;
  }

  async #poll(): Promise<PollResult> {
    const { client, gate, state, signal } = this.#context;
    const { id, job_id } = this.#job;
    try {
      const { status, download_url, error } = await gate.run(priority.history, () => {
        state.exportJobs.countPoll(id);
        return client.exports.get({ jobId: job_id, signal });
      });
      if (status === "failed") return { response: "failed", reason: error ?? "no reason given" };
      if (status !== "completed" || !download_url) return { response: "processing", reason: notReadyInTime };
      return { response: "completed", link: download_url };
    } catch (error) {
      if (error instanceof ServiceRefusedError && [404, 410].includes(error.status))
        return { response: "unknown", reason: "the service does not know this job" };
      if (isRefused(error)) return { response: "refused", reason: error.message, error };
      if (error instanceof ServiceFailedError || error instanceof UnexpectedResponseError)
        return { response: "broken", reason: error.message, error };
      return { response: "unavailable", error };
    }
  }

  #recordCompletion(): void {
    const { id, created_at, isResumed } = this.#job;
    const isSeenLate = isResumed && this.#isFirst && this.#isDue;
    // Excludes the first poll's wait for its turn, which may be long. If it were part of the job's duration,
    // each export would be polled later than the previous one.
    const durationMs = this.#isFirst
      ? Math.min(computePollDelayMs(0, this.#earlierMs), this.#ageMs())
      : this.#ageMs();
    const finishedMs = Date.parse(created_at) + durationMs;
    this.#context.state.exportJobs.update(id, { state: "completed", isSeenLate, finishedMs });
  }

  /** Returns the job's age, regardless of changes to the machine's clock. */
  #ageMs(): number {
    return this.#ageAtStartMs + this.waitedMs;
  }
}

/** Minimum wait between polls, and the first wait if no earlier job is known. */
const shortestMs = 1_000;
const longestMs = 60_000;

/**
 * Returns the wait before the next poll. The service does not document how long exports take, so the first poll
 * comes at the median duration of this group's earlier jobs. Each later wait is a tenth of the elapsed time.
 * Without earlier jobs, each wait doubles the elapsed time.
 * @param elapsedMs time since the job was created, in milliseconds
 * @param earlierMs durations of earlier jobs for this group and kind, in any order
 */
function computePollDelayMs(elapsedMs: number, earlierMs: readonly number[]): number {
  const usualMs = median(earlierMs);
  const waitMs =
    usualMs === undefined ? elapsedMs : elapsedMs < usualMs ? usualMs - elapsedMs : elapsedMs / 10;
  return Math.min(Math.max(waitMs, shortestMs), longestMs);
}

/**
 * Returns the number of polls needed to find a job complete, and the time from its creation to the last poll,
 * in milliseconds.
 */
export function countPollsUntil(
  durationMs: number,
  earlierMs: readonly number[],
): { polls: number; seenMs: number } {
  let [polls, seenMs] = [0, 0];
  while (polls === 0 || seenMs < durationMs) {
    seenMs += computePollDelayMs(seenMs, earlierMs);
    polls += 1;
  }
  return { polls, seenMs };
}

/** Polls slow down if more jobs than this are open. */
const fewJobs = 8;

/** Returns the minimum wait between polls of one job, so that all polls together use at most half of the rate. */
function minPollDelayMs(openJobs: number, ratePerSecond: number): number {
  return Math.max(0, ((openJobs - fewJobs) * 2000) / ratePerSecond);
}

export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
