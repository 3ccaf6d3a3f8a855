import {
  ApiError,
  ConnectionFailedError,
  ServiceFailedError,
  ServiceRefusedError,
  UnexpectedResponseError,
} from "../../api/errors.ts";
import { abortedDuringRequest, type ExportJob } from "../../state/data/export-jobs.ts";
import type { Kind } from "../../util/kind.ts";
import { getErrorMessage } from "../../util/venue-error.ts";
import type { ExtractContext } from "../extract-context.ts";
import { priority } from "../request-gate.ts";
import { limits } from "./export-policy.ts";

/** One kind of history for all zones of a group. */
export interface ExportSource {
  kind: Kind;
  groupId: number;
}

export type AcceptedJob = ExportJob & {
  job_id: string;
  /** True if an earlier run requested the job. */
  isResumed: boolean;
};

export type RequestResult =
  | { response: "accepted"; job: AcceptedJob }
  | {
      response: "responseLost" | "refused" | "stopped" | "unavailable";
      job: ExportJob;
      error: unknown;
      reason: string;
    };

/** Requests an export. Records the job before the request, and adds the job id as soon as it is received. */
export async function requestExport(
  { kind, groupId }: ExportSource,
  context: ExtractContext,
): Promise<RequestResult> {
  const { client, service, state, clock, signal, gate } = context;
  const leave = await gate.enter(priority.exports);
  const job = state.exportJobs.begin(service, kind, groupId, clock.now());
  try {
    const { job_id } = await client.exports.create({ kind, groupId, signal });
    state.exportJobs.update(job.id, { state: "processing", jobId: job_id });
    const created_at = new Date().toISOString();
    return {
      response: "accepted",
      job: { ...job, state: "processing", job_id, created_at, isResumed: false },
    };
  } catch (error) {
    if (signal.aborted) return { response: "stopped", job, error, reason: abortedDuringRequest };
    const response = isResponseLost(error) ? "responseLost" : isRefused(error) ? "refused" : "unavailable";
    return { response, job, error, reason: getErrorMessage(error) };
  } finally {
    leave();
  }
}

/** Returns true if the service may have created a job whose id was lost. */
function isResponseLost(error: unknown): boolean {
  if (!(error instanceof ApiError) || !error.path.endsWith("/history/export")) return false;
  if (error instanceof ConnectionFailedError) return !error.isUnreachable;
  return error instanceof ServiceFailedError || error instanceof UnexpectedResponseError;
}

/**
 * Returns true if the service refused only this export. Excludes 401, because the service refuses every request
 * without a valid token.
 */
export function isRefused(error: unknown): error is ServiceRefusedError {
  return error instanceof ServiceRefusedError && error.status !== 401;
}

/** Returns true if the next sync can resume an open job. Requires a job id for polling. */
export function isResumable(job: ExportJob, now: Date): boolean {
  return job.job_id !== null && !isTooOld(job, now);
}

/** @param now current time on the data's clock */
export function isTooOld({ requested_at }: ExportJob, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(requested_at)) > limits.staleMs;
}
