import type { Kind } from "../../util/kind.ts";
import type { Sqlite } from "../sqlite.ts";
import { createLandingId } from "./landings.ts";

/**
 * - `creating`: the request is in progress, or was in progress when the run was killed
 * - `processing`, `completed`: state in the service's last response
 * - `landed`: the file was downloaded completely
 * - `failed`: the service failed or refused the job, or no longer recognises it
 * - `ambiguous`: the response to the request was lost, so the service may have created a job whose id is unknown
 * - `abandoned`: the job became too old to be useful, was not ready in time, or could not be requested because the
 *   service could not be reached
 */
export type ExportJobState =
  | "creating"
  | "processing"
  | "completed"
  | "landed"
  | "failed"
  | "ambiguous"
  | "abandoned";

/** An export that was, or may have been, requested. Instants are ISO 8601 strings in UTC. */
export interface ExportJob {
  id: number;
  kind: Kind;
  group_id: number;
  /** Id assigned by the service; null until the service responds. */
  job_id: string | null;
  state: ExportJobState;
  /** Time of the request on the data's clock, up to which the export contains history. */
  requested_at: string;
  /** Time at which the service accepted the request; until then, the time of the request. */
  created_at: string;
  /**
   * Time at which the job was seen to have ended; null if it has not ended, or ended while no run was
   * polling.
   */
  finished_at: string | null;
  /** Id of the future landing, which is part of the file name from the start. */
  landing_id: string;
  /** Strong entity tag of the file being downloaded. */
  etag: string | null;
  error: string | null;
  polls: number;
}

/** Cost and outcome of the last exports for a group and kind. */
export interface ExportRecord {
  /** Known durations of the last exports, in milliseconds, newest first. */
  durationsMs: number[];
  /** Number of polls for each of these exports, in the same order. */
  polls: number[];
  /** Number of jobs in the last week that produced no file and were requested after the last one that did. */
  failures: number;
  /** Number of these failures in which the request received no response. */
  unanswered: number;
  /** Time since the last failed job was requested, in milliseconds; 0 if none failed. */
  sinceFailureMs: number;
  /** True if a recent export produced a file. */
  hasLanded: boolean;
}

/** An earlier landed export for which the service returned the same job id. */
export interface PreviousExport {
  /** Time of the earlier request on the data's clock, up to which the export contains history. */
  requested_at: string;
  bytes: number;
  /** Number of landed exports that were requested later. */
  later: number;
}

/** Error text for a job that the service did not finish in time. */
export const notReadyInTime = "not ready in time";

/** Error text for a job whose request the run itself aborted. */
export const abortedDuringRequest = "stopped while the export was being requested";

/** Minimum duration of a download for computing speeds. Shorter ones measure response time rather than throughput. */
const minMeasuredMs = 1_000;

const weekMs = 7 * 24 * 3_600_000;

/**
 * Export jobs in `state.db`. Queries filter by service, because the data folder may have been used with
 * another service before.
 */
export class ExportJobs {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** Records a request for an export, before it is sent. */
  begin(service: string, kind: Kind, groupId: number, requestedAt: Date): ExportJob {
    return this.#database.immediate(() =>
      this.#database.get<ExportJob>(
        `insert into export_job (service, kind, group_id, state, requested_at, created_at, landing_id)
         values (?, ?, ?, 'creating', ?, ?, ?) returning *`,
        [service, kind, groupId, requestedAt, new Date(), createLandingId()],
      ),
    );
  }

  /** Finds the latest job for this group and kind that has not ended. */
  findOpen(service: string, kind: Kind, groupId: number): ExportJob | undefined {
    return this.#database.find<ExportJob>(
      `select * from export_job
       where service = ? and kind = ? and group_id = ? and state in ('creating', 'processing', 'completed')
       order by id desc limit 1`,
      [service, kind, groupId],
    );
  }

  /** Returns true if this landing id belongs to a job that has not ended. */
  isOpen(landingId: string): boolean {
    const found = this.#database.find(
      "select 1 from export_job where landing_id = ? and state in ('creating', 'processing', 'completed')",
      [landingId],
    );
    return found !== undefined;
  }

  /**
   * Changes the state of a job. The first change to `completed` or to a state that ends the job also sets
   * `finished_at`, except with `isSeenLate`.
   */
  update(
    id: number,
    change: {
      state: ExportJobState;
      jobId?: string;
      error?: string | undefined;
      isSeenLate?: boolean;
      /** Epoch milliseconds. @default now */
      finishedMs?: number;
    },
  ): void {
    const isOver = change.state !== "creating" && change.state !== "processing";
    const finishedMs = change.finishedMs ?? Date.now();
    this.#database.run(
      `update export_job set state = ?, job_id = coalesce(?, job_id), error = coalesce(?, error),
       created_at = iif(? = 'processing', ?, created_at),
       finished_at = coalesce(finished_at, iif(state = ?, null, ?)) where id = ?`,
      [
        change.state,
        change.jobId,
        change.error,
        change.state,
        new Date(),
        change.state,
        isOver && !change.isSeenLate ? new Date(finishedMs) : null,
        id,
      ],
    );
  }

  /** Records why a sync left a job open. The next sync resumes the job. */
  noteFailure(id: number, error: string): void {
    this.#database.run("update export_job set error = ? where id = ?", [error, id]);
  }

  /** Finds the latest landed export that was requested earlier and has the same job id. */
  findPrevious(id: number): PreviousExport | undefined {
    return this.#database.find<PreviousExport>(
      `select landing.requested_at, landing.bytes, (
         select count(*) from landing as other
         where other.source = 'export' and other.kind = landing.kind and other.group_id = landing.group_id
           and other.requested_at > landing.requested_at
       ) as later
       from export_job as job
       inner join export_job as given using (service, kind, group_id, job_id)
       inner join landing on landing.landing_id = given.landing_id
       where job.id = ? and given.id < job.id and given.state = 'landed'
       order by given.id desc limit 1`,
      [id],
    );
  }

  countPoll(id: number): void {
    this.#database.run("update export_job set polls = polls + 1 where id = ?", [id]);
  }

  /** Marks a job as landed. Call it in the transaction that records the landing. */
  markLanded(id: number): void {
    this.#database.run("update export_job set state = 'landed' where id = ?", [id]);
  }

  /** Records the size of the file and the duration of its download. */
  setDownload(id: number, bytes: number, downloadMs: number): void {
    this.#database.run("update export_job set bytes = ?, download_ms = ? where id = ?", [
      bytes,
      Math.round(downloadMs),
      id,
    ]);
  }

  /**
   * Returns the average speed of the last downloads that took long enough to measure; `undefined` if there
   * are none.
   */
  bytesPerSecond(service: string): number | undefined {
    const rows = this.#database.all<{ bytes: number; download_ms: number }>(
      `select bytes, download_ms from export_job
       where service = ? and bytes > 0 and download_ms >= ? order by id desc limit 10`,
      [service, minMeasuredMs],
    );
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    const ms = rows.reduce((sum, row) => sum + row.download_ms, 0);
    return ms > 0 ? (bytes / ms) * 1000 : undefined;
  }

  /** Counts the jobs in a collection that produced no file. Also returns the error of the last one. */
  countFailures(
    collectionId: number,
    service: string,
    kind: Kind,
    groupId: number,
  ): { count: number; lastError: string | null } {
    const rows = this.#database.all<{ error: string | null }>(
      `select error from export_job
       where service = ? and kind = ? and group_id = ?
         and (state = 'failed' or (state = 'abandoned' and error = ?))
         and created_at >= (select opened_at from collection where collection_id = ?)
       order by id desc`,
      [service, kind, groupId, notReadyInTime, collectionId],
    );
    return { count: rows.length, lastError: rows[0]?.error ?? null };
  }

  record(service: string, kind: Kind, groupId: number): ExportRecord {
    const jobs = this.#database.all<ExportJob>(
      "select * from export_job where service = ? and kind = ? and group_id = ? order by id desc limit 20",
      [service, kind, groupId],
    );
    const good = jobs
      .filter(({ state, finished_at }) => state === "landed" && finished_at !== null)
      .slice(0, 5);
    const recent = listSinceLastGood(jobs);
    const unanswered = listUnanswered(recent);
    const failures = recent.filter(
      (job) =>
        job.state === "failed" ||
        (job.state === "abandoned" && job.error === notReadyInTime) ||
        unanswered.includes(job),
    );
    const [last] = failures;
    return {
      durationsMs: good.map((job) => Date.parse(job.finished_at ?? "") - Date.parse(job.created_at)),
      polls: good.map(({ polls }) => polls),
      failures: failures.length,
      unanswered: unanswered.length,
      sinceFailureMs: last ? computeAgeMs(last) : 0,
      hasLanded: jobs.some(({ state }) => state === "landed"),
    };
  }

  setEtag(id: number, etag: string | null): void {
    this.#database.run("update export_job set etag = ? where id = ?", [etag, id]);
  }
}

/** Returns the jobs from the last week that were requested after the last job that produced a file. */
function listSinceLastGood(jobs: readonly ExportJob[]): ExportJob[] {
  const lastGood = jobs.findIndex(({ state }) => state === "landed" || state === "completed");
  const since = lastGood < 0 ? jobs : jobs.slice(0, lastGood);
  return since.filter((job) => computeAgeMs(job) < weekMs);
}

/** Returns the age of a job. It is positive even if the clock has been set back since the request. */
function computeAgeMs({ created_at }: ExportJob): number {
  return Math.abs(Date.now() - Date.parse(created_at));
}

function listUnanswered(jobs: readonly ExportJob[]): ExportJob[] {
  return jobs.filter(({ state, error }) => state === "ambiguous" && error !== abortedDuringRequest);
}
