import type { Kind } from "../util/kind.ts";
import { createLandingId } from "./landings.ts";
import type { Sqlite } from "./sqlite.ts";

/**
 * - `creating`: the request is, or was when we were killed, under way
 * - `processing`, `completed`: as the service said last
 * - `landed`: downloaded whole
 * - `failed`: the service said so, or no longer knows the job
 * - `ambiguous`: asked for, but the answer was lost: the service may have made a job whose id nobody knows
 * - `abandoned`: too old to be of use
 */
export type ExportJobState =
  | "creating"
  | "processing"
  | "completed"
  | "landed"
  | "failed"
  | "ambiguous"
  | "abandoned";

/** An export that was, or may have been, asked for. Instants are ISO 8601 text in UTC. */
export interface ExportJob {
  id: number;
  kind: Kind;
  group_id: number;
  /** The service's; null until it answered. */
  job_id: string | null;
  state: ExportJobState;
  /** In data's time: the history is as of then. */
  requested_at: string;
  created_at: string;
  finished_at: string | null;
  /** Of the landing that it becomes: names its file from the start. */
  landing_id: string;
  /** Strong entity tag of the file that is being downloaded. */
  etag: string | null;
  error: string | null;
}

/** The exports of one service; jobs of another one that used this folder before are not seen. */
export class ExportJobs {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** Records, before it is sent, that an export is asked for. */
  begin(service: string, kind: Kind, groupId: number, requestedAt: Date): ExportJob {
    return this.#database.get<ExportJob>(
      `insert into export_job (service, kind, group_id, state, requested_at, created_at, landing_id)
       values (?, ?, ?, 'creating', ?, ?, ?) returning *`,
      [service, kind, groupId, requestedAt.toISOString(), new Date().toISOString(), createLandingId()],
    );
  }

  /** The newest job of this group and kind that was begun and has not ended. */
  findOpen(service: string, kind: Kind, groupId: number): ExportJob | undefined {
    return this.#database.find<ExportJob>(
      `select * from export_job
       where service = ? and kind = ? and group_id = ? and state in ('creating', 'processing', 'completed')
       order by id desc limit 1`,
      [service, kind, groupId],
    );
  }

  /** Whether the job that is to become this landing has not ended. */
  isOpen(landingId: string): boolean {
    const found = this.#database.find(
      "select 1 from export_job where landing_id = ? and state in ('creating', 'processing', 'completed')",
      [landingId],
    );
    return found !== undefined;
  }

  /** Notes what became of a job. A state that ends it, or `completed`, sets `finished_at` once. */
  update(id: number, change: { state: ExportJobState; jobId?: string; error?: string }): void {
    const isOver = change.state !== "creating" && change.state !== "processing";
    this.#database.run(
      `update export_job set state = ?, job_id = coalesce(?, job_id), error = coalesce(?, error),
       finished_at = coalesce(finished_at, ?) where id = ?`,
      [
        change.state,
        change.jobId ?? null,
        change.error ?? null,
        isOver ? new Date().toISOString() : null,
        id,
      ],
    );
  }

  setEtag(id: number, etag: string | null): void {
    this.#database.run("update export_job set etag = ? where id = ?", [etag, id]);
  }

  /** How long the service took for the last jobs of this group and kind, in milliseconds, newest first. */
  recentDurationsMs(service: string, kind: Kind, groupId: number): number[] {
    return this.#database
      .all<{ created_at: string; finished_at: string }>(
        `select created_at, finished_at from export_job
         where service = ? and kind = ? and group_id = ? and state in ('completed', 'landed')
         order by id desc limit 5`,
        [service, kind, groupId],
      )
      .map(({ created_at, finished_at }) => Date.parse(finished_at) - Date.parse(created_at));
  }
}
