import type { ExportJob } from "../../state/data/export-jobs.ts";

/** A job that an earlier run left behind is taken up unless its history would be older than this. */
const staleMs = 12 * 3_600_000;

/** Whether a job that was left open is too old to be of use. @param now in data's time */
export function isStale({ requested_at }: ExportJob, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(requested_at)) > staleMs;
}

/** Whether the next sync takes up a job that was left open; of one without an id nobody can tell whether there is a job. */
export function isUsable(job: ExportJob, now: Date): boolean {
  return job.job_id !== null && !isStale(job, now);
}
