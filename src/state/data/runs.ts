import { hostname } from "node:os";
import { parseStored, type Sqlite } from "../sqlite.ts";
import { RunLock, type UnresponsiveHolder, type WatchOptions } from "./run-lock.ts";

type RunStatus = "running" | "succeeded" | "failed" | "interrupted";

/** One invocation of the pipeline. Instants are ISO 8601 text in UTC. */
export interface Run {
  run_id: number;
  command: string;
  status: RunStatus;
  started_at: string;
  ended_at: string | null;
  exit_code: number | null;
  pid: number;
  host: string;
  /** One line: the result, or the reason of the failure. */
  note: string | null;
  /** The result as JSON; null also once it was removed in favour of later runs. */
  summary: string | null;
}

/** Work that a collecting run could not do, so that published data may lack it. */
export interface UnfinishedWork {
  /** E.g. `signage history of group 58429`. */
  subject: string;
  /** One word: `failed`, `incomplete`, `stopped`, `interrupted` or `running`. */
  value: string;
  note: string;
}

export interface RunEnd {
  status: Exclude<RunStatus, "running">;
  exitCode: number;
  note?: string;
  summary?: unknown;
  /** Unfinished work of a collecting run that completed. */
  unfinished?: readonly UnfinishedWork[];
  /** Requests to the status API by a collecting run that completed. */
  statusRequests?: number;
}

/** Limit over all runs: summaries of thousands of walks would fill the file, which is read completely. */
const maxSummaryBytes = 10_000_000;

/** The runs of the pipeline. One at a time changes a data folder. */
export class Runs {
  readonly #database: Sqlite;
  readonly #lock: RunLock;
  /** The current run of this process. */
  #runId: number | undefined;

  constructor(database: Sqlite) {
    this.#database = database;
    this.#lock = new RunLock(database);
  }

  /**
   * Watches a run of another host that holds the lock, for two minutes at most.
   * @returns that run, for `begin`, if it sent no heartbeat
   * @throws {RunLockedError} at its first heartbeat
   */
  async watchForeignRun(options?: WatchOptions): Promise<UnresponsiveHolder | undefined> {
    return await this.#lock.watchForeignHolder(options);
  }

  /**
   * Takes the lock, closes killed runs, and records a run that starts now. The returned function ends the run
   * and releases the lock; until then, `state.db` is not written once another run has taken over.
   * @param silent a run of another host that counts as killed
   * @throws {RunLockedError} at once, if another run holds the lock
   */
  begin(command: string, silent?: UnresponsiveHolder): (end: RunEnd) => void {
    const now = new Date().toISOString();
    const runId = this.#database.immediate(() => {
      this.#lock.assertFree(silent);
      this.#database.run(
        "update run set status = 'interrupted', ended_at = ?, note = 'killed' where status = 'running'",
        [now],
      );
      const { run_id } = this.#database.get<{ run_id: number }>(
        "insert into run (command, status, started_at, pid, host) values (?, 'running', ?, ?, ?) returning run_id",
        [command, now, process.pid, hostname()],
      );
      this.#lock.take(run_id, command);
      return run_id;
    });
    this.#runId = runId;
    this.#database.checkWriter(() => this.#lock.assertHeld(runId));
    const stopBeating = this.#lock.keepAlive(runId);
    return (end) => {
      stopBeating();
      this.#end(runId, end);
      this.#database.checkWriter(undefined);
      this.#runId = undefined;
    };
  }

  /** @throws {VenueError} `RUN_LOCK_LOST` if this process began a run, and another one took over the lock */
  assertLock(): void {
    if (this.#runId !== undefined) this.#lock.assertHeld(this.#runId);
  }

  /** Lists runs, newest first. */
  list(limit: number): Run[] {
    return this.#database.all<Run>(
      `select run_id, command, status, started_at, ended_at, exit_code, pid, host, note, summary
      from run order by run_id desc limit ?`,
      [limit],
    );
  }

  /** Returns the unfinished work of the last collecting run; empty if none is recorded. */
  findUnfinished(): UnfinishedWork[] {
    const [collected] = this.#database.all<Run & { unfinished: string | null }>(
      `select run_id, command, status, note, unfinished from run
      where command in ('sync', 'run') or command like 'sync %' or command like 'run %'
      order by run_id desc limit 1`,
    );
    if (!collected) return [];
    const { run_id, command, status, note, unfinished } = collected;
    if (unfinished !== null) return parseStored(this.#database.path, unfinished);
    const why = status === "running" ? "it has not ended yet" : (note ?? "");
    return [{ subject: `run ${run_id} (${command})`, value: status, note: why }];
  }

  /** Returns the number of status API requests of the latest run that sent any. */
  findStatusRequests(): number | undefined {
    const found = this.#database.find<{ status_requests: number }>(
      "select status_requests from run where status_requests > 0 order by run_id desc limit 1",
    );
    return found?.status_requests;
  }

  #end(runId: number, end: RunEnd): void {
    const { status, exitCode, note, summary, unfinished, statusRequests } = end;
    const texts = [note ?? null, JSON.stringify(summary) ?? null, JSON.stringify(unfinished) ?? null];
    this.#database.immediate(() => {
      this.#database.run(
        `update run set status = ?, ended_at = ?, exit_code = ?, note = ?, summary = ?, unfinished = ?,
          status_requests = ?
        where run_id = ?`,
        [status, new Date().toISOString(), exitCode, ...texts, statusRequests ?? null, runId],
      );
      this.#makeRoom(runId, unfinished !== undefined);
      this.#lock.release(runId);
    });
  }

  /** Removes old summaries, and unfinished work that is superseded by a later collecting run. */
  #makeRoom(runId: number, hasCollected: boolean): void {
    this.#database.run(
      `update run set summary = null where run_id <> ? and run_id in (
         select run_id from (
           select run_id, sum(octet_length(summary)) over (order by run_id desc) as total_bytes
           from run where summary is not null
         ) where total_bytes > ?
       )`,
      [runId, maxSummaryBytes],
    );
    if (hasCollected)
      this.#database.run("update run set unfinished = null where run_id < ? and unfinished is not null", [
        runId,
      ]);
  }
}
