import {
  ApiError,
  ConnectionFailedError,
  ServiceFailedError,
  ServiceRefusedError,
  UnexpectedResponseError,
} from "../../api/errors.ts";
import {
  type ExportJob,
  type ExportJobState,
  notReadyInTime,
  stoppedMeanwhile,
} from "../../state/data/export-jobs.ts";
import { monotonicMs } from "../../util/clock.ts";
import type { Kind } from "../../util/kind.ts";
import { messageOf, VenueError } from "../../util/venue-error.ts";
import type { ExtractContext } from "../extract-context.ts";
import { priority } from "../request-gate.ts";

/** A job just created may not be known everywhere yet: it is asked for again after these waits. */
const unknownWaitsMs = [1_000, 2_000, 4_000, 8_000];

/** The history of one kind of all zones of a group. */
export interface ExportSource {
  kind: Kind;
  groupId: number;
}

/** An export job that the service has accepted. */
export type AcceptedJob = ExportJob & {
  job_id: string;
  /** An earlier run left it: nobody has looked at it meanwhile. */
  isTakenUp: boolean;
};

/** The job that an earlier run left open, unless it is of no use any more. */
export function findUsableJob(
  { kind, groupId }: ExportSource,
  context: ExtractContext,
): AcceptedJob | undefined {
  const { service, state, clock, logger } = context;
  const job = state.exportJobs.findOpen(service, kind, groupId);
  if (!job) return undefined;
  const { job_id } = job;
  if (job_id === null) {
    // Killed while the request was under way: whether there is a job, nobody can tell.
    state.exportJobs.update(job.id, { state: "ambiguous", error: stoppedMeanwhile });
    return undefined;
  }
  if (isStale(job, clock.now())) {
    // One whose polls or download failed gave no file, which counts when the next one gives none either.
    if (job.error !== null) state.exportJobs.update(job.id, { state: "failed" });
    else state.exportJobs.update(job.id, { state: "abandoned", error: "too old to be of use" });
    return undefined;
  }
  logger.info(`${kind} of group ${groupId}: takes up export ${job_id} of an earlier run`);
  return { ...job, job_id, isTakenUp: true };
}

/**
 * Asks the service for an export. That it is asked for is recorded first, and its id as soon as it is known.
 * @throws {ApiError} where the response was lost each time, the job is recorded as ambiguous
 */
export async function createJob(
  { kind, groupId }: ExportSource,
  context: ExtractContext,
): Promise<AcceptedJob> {
  const { client, service, state, clock, signal, gate } = context;
  const leave = await gate.enter(priority.exports);
  const job = state.exportJobs.begin(service, kind, groupId, clock.now());
  try {
    const { job_id } = await client.exports.create({ kind, groupId, signal });
    state.exportJobs.update(job.id, { state: "processing", jobId: job_id });
    return { ...job, state: "processing", job_id, created_at: new Date().toISOString(), isTakenUp: false };
  } catch (error) {
    const reason = signal.aborted ? stoppedMeanwhile : messageOf(error);
    state.exportJobs.update(job.id, {
      state: signal.aborted ? "ambiguous" : stateAfter(error),
      error: reason,
    });
    throw error;
  } finally {
    leave();
  }
}

/** What is left of a job that could not be asked for. */
function stateAfter(error: unknown): ExportJobState {
  if (isUnanswered(error)) return "ambiguous";
  return error instanceof ServiceRefusedError ? "failed" : "abandoned";
}

/** Whether the service may have made a job whose id was lost. A failed token request asked for nothing. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof ApiError) || !error.path.endsWith("/history/export")) return false;
  if (error instanceof ConnectionFailedError) return !error.isUnreachable;
  return error instanceof ServiceFailedError || error instanceof UnexpectedResponseError;
}

/**
 * Polls until the export can be downloaded; answers a link that is valid now.
 * @throws {ExportJobEndedError} when the service failed the job, no longer knows it, or takes too long
 */
export async function getDownloadLink(job: AcceptedJob, context: ExtractContext): Promise<string> {
  const { service, state, clock, stopping, exportPatienceMs } = context;
  const earlierMs = state.exportJobs.recentDurationsMs(service, job.kind, job.group_id);
  const startedMs = monotonicMs();
  const createdMs = Date.parse(job.created_at);
  const takenUpAgeMs = Math.max(0, Date.now() - createdMs);
  // A clock that is put right meanwhile makes it neither older nor younger.
  const findAgeMs = () => takenUpAgeMs + monotonicMs() - startedMs;
  for (let isFirst = true; ; isFirst = false) {
    const ageMs = findAgeMs();
    // A job that was done already, or that an earlier run left long ago, is asked at once.
    const isDue = isFirst && (job.state === "completed" || ageMs >= pollDelayMs(0, earlierMs));
    const leastMs = leastPollDelayMs(context.openExports.count, context.ratePerSecond);
    if (!isDue) await clock.sleep(Math.max(pollDelayMs(ageMs, earlierMs), leastMs), stopping);
    const isNew = isFirst && job.state !== "completed";
    const answer = isNew ? await findNewAnswer(job, context) : await findAnswer(job, context);
    if (answer === undefined || answer.status === "failed") {
      const error =
        answer === undefined ? "the service does not know this job" : (answer.error ?? "no reason given");
      state.exportJobs.update(job.id, { state: "failed", error });
      throw new ExportJobEndedError(job, error);
    }
    if (answer.status === "completed" && answer.download_url) {
      const isSeenLate = job.isTakenUp && isFirst && isDue;
      // However long the first poll had to wait for its turn: else the next export would be waited for as long, and longer.
      const durationMs = isFirst ? Math.min(pollDelayMs(0, earlierMs), findAgeMs()) : findAgeMs();
      state.exportJobs.update(job.id, { state: "completed", isSeenLate, finishedMs: createdMs + durationMs });
      return answer.download_url;
    }
    if (monotonicMs() - startedMs > exportPatienceMs) {
      state.exportJobs.update(job.id, { state: "abandoned", error: notReadyInTime });
      throw new ExportJobEndedError(job, notReadyInTime);
    }
  }
}

/** Of a job that the service did not know yet when it was asked. */
async function findNewAnswer(job: AcceptedJob, context: ExtractContext) {
  for (const waitMs of unknownWaitsMs) {
    const answer = await findAnswer(job, context);
    if (answer) return answer;
    await context.clock.sleep(waitMs, context.stopping);
  }
  return await findAnswer(job, context);
}

async function findAnswer({ id, job_id }: AcceptedJob, { client, gate, state, signal }: ExtractContext) {
  try {
    return await gate.run(priority.history, () => {
      state.exportJobs.countPoll(id);
      return client.exports.get({ jobId: job_id, signal });
    });
  } catch (error) {
    const isUnknown = error instanceof ServiceRefusedError && [404, 410].includes(error.status);
    if (isUnknown) return undefined;
    throw error;
  }
}

/** The service failed an export, no longer knows it, or did not get it done in time. */
export class ExportJobEndedError extends VenueError {
  override readonly name = "ExportJobEndedError";
  readonly code = "EXPORT_JOB_ENDED";
  readonly category = "service";

  constructor({ kind, group_id, job_id }: AcceptedJob, reason: string) {
    super(
      `The service failed the export ${job_id} (${kind} of group ${group_id}): ${reason.replace(/\.$/, "")}.`,
    );
  }
}

/** A job that an earlier run left behind is taken up unless its history would be older than this. */
const staleMs = 12 * 3_600_000;

/** Whether a job that was left open is too old to be of use. @param now in data's time */
function isStale({ requested_at }: ExportJob, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(requested_at)) > staleMs;
}

/** Whether the next sync takes up a job that was left open; of one without an id nobody can tell whether there is a job. */
export function isUsable(job: ExportJob, now: Date): boolean {
  return job.job_id !== null && !isStale(job, now);
}

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
function leastPollDelayMs(openJobs: number, ratePerSecond: number): number {
  return Math.max(0, ((openJobs - fewJobs) * 2000) / ratePerSecond);
}

export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
