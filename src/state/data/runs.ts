import { hostname } from "node:os";
import { parseStored, type Sqlite } from "../sqlite.ts";
import { topicOfSource } from "./landings.ts";
import { RunLock, type UnresponsiveHolder, type WatchOptions } from "./run-lock.ts";

type RunStatus = "running" | "succeeded" | "failed" | "interrupted";

/** One run of the pipeline. Instants are ISO 8601 strings in UTC. */
export interface Run {
  run_id: number;
  command: string;
  status: RunStatus;
  started_at: string;
  ended_at: string | null;
  exit_code: number | null;
  pid: number;
  host: string;
  /** One line with the result, or with the reason for the failure. */
  note: string | null;
  /** Result as JSON; null if there is none or it was removed to make room for later runs. */
  summary: string | null;
}

/** The latest ended run of a command. */
export interface LastRun
  extends Pick<Run, "command" | "status" | "started_at" | "exit_code" | "note" | "summary"> {
  /** The command without its arguments, e.g. `sync`. */
  word: string;
  ended_at: string;
  /** End of the command's last successful run; null if there is none. */
  succeeded_at: string | null;
}

/** Work that a collecting run did not finish, so that published data may be incomplete. */
export interface UnfinishedWork {
  /** Topic of `venue sync`. Absent if the whole run did not end, or if an earlier version recorded it. */
  topic?: string | undefined;
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
  /** Unfinished work. Set for a collecting run that ran to its end. */
  unfinished?: readonly UnfinishedWork[];
  /** Number of requests to the status API. Set for a collecting run that ran to its end. */
  statusRequests?: number;
}

/**
 * Maximum total size of the summaries of all runs. Summaries of thousands of walks would otherwise fill the file,
 * which is read completely.
 */
const maxSummaryBytes = 10_000_000;

/** Runs of the pipeline. Only one run at a time may change a data folder. */
export class Runs {
  readonly #database: Sqlite;
  readonly #lock: RunLock;
  /** Id of this process's current run. */
  #runId: number | undefined;

  constructor(database: Sqlite) {
    this.#database = database;
    this.#lock = new RunLock(database);
  }

  /**
   * Waits up to two minutes for a heartbeat, if a run on another host holds the lock.
   * @returns that run, to pass to `begin`, if it sent no heartbeat
   * @throws {RunLockedError} at that run's first heartbeat
   */
  async watchForeignRun(options?: WatchOptions): Promise<UnresponsiveHolder | undefined> {
    return await this.#lock.watchForeignHolder(options);
  }

  /**
   * Takes the lock, closes killed runs, and records a run that starts now. The returned function ends the run
   * and releases the lock. Until then, writes to `state.db` fail if another run has taken over the lock.
   * @param silent a run on another host that is treated as killed
   * @throws {RunLockedError} at once, if another run holds the lock
   */
  begin(command: string, silent?: UnresponsiveHolder): (end: RunEnd) => void {
    const now = new Date();
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

  /** @throws {VenueError} `RUN_LOCK_LOST` if this process began a run and another run took over the lock */
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

  /** Lists the latest ended run of each command, whatever its arguments, e.g. one for all syncs. */
  listLast(): LastRun[] {
    return this.#database.all<LastRun>(
      `with ended as (
         select *, substr(command, 1, instr(command || ' ', ' ') - 1) as word from run where ended_at is not null
       )
       select word, command, status, started_at, ended_at, exit_code, note, summary,
         (select max(s.ended_at) from ended as s where s.word = e.word and s.status = 'succeeded') as succeeded_at
       from ended as e
       where run_id = (select max(n.run_id) from ended as n where n.word = e.word)
       order by run_id desc`,
    );
  }

  /** Returns the start of the latest run of any of the commands that started by `upTo` and was not killed. */
  findLastStart(commands: readonly string[], upTo: Date): Date | undefined {
    const found = this.#database.find<{ started_at: string }>(
      `select started_at from run
      where status in ('succeeded', 'failed') and started_at <= ?
        and command in (${commands.map(() => "?").join(", ")})
      order by run_id desc limit 1`,
      [upTo, ...commands],
    );
    return found && new Date(found.started_at);
  }

  /** Returns the unfinished work of the last run that collected each topic; empty if none is recorded. */
  findUnfinished(): UnfinishedWork[] {
    const newest = this.#database.all<Run & { unfinished: string | null }>(
      `select run_id, command, status, note, unfinished from run
      where run_id in (select max(run_id) from run group by command)
        and (substr(command, 1, instr(command || ' ', ' ') - 1) in ('sync', 'collect', 'run') or command like 'load --from %')
      order by run_id desc`,
    );
    const found: UnfinishedWork[] = [];
    const known = new Set<string>();
    for (const { run_id, command, status, note, unfinished } of newest) {
      const topics = listTopics(command).filter((topic) => !known.has(topic));
      if (topics.length === 0) continue;
      for (const topic of topics) known.add(topic);
      const why = status === "running" ? "it has not ended yet" : (note ?? "");
      // An earlier version removed the record once any later run had collected.
      if (unfinished === null && status === "succeeded") continue;
      const work: UnfinishedWork[] =
        unfinished === null
          ? [{ subject: `run ${run_id} (${command})`, value: status, note: why }]
          : parseStored(this.#database.path, unfinished);
      found.push(...work.filter(({ topic }) => topic === undefined || topics.includes(topic)));
    }
    return found;
  }

  /** Returns the number of status API requests in the latest run that sent any. */
  findStatusRequests(): number | undefined {
    const found = this.#database.find<{ status_requests: number }>(
      "select status_requests from run where status_requests > 0 order by run_id desc limit 1",
    );
    return found?.status_requests;
  }

  #end(runId: number, end: RunEnd): void {
    const { status, exitCode, note, summary, unfinished, statusRequests } = end;
    const texts = [note, JSON.stringify(summary), JSON.stringify(unfinished)];
    this.#database.immediate(() => {
      this.#database.run(
        `update run set status = ?, ended_at = ?, exit_code = ?, note = ?, summary = ?, unfinished = ?,
          status_requests = ?
        where run_id = ?`,
        [status, new Date(), exitCode, ...texts, statusRequests, runId],
      );
      this.#makeRoom(runId, unfinished !== undefined);
      this.#lock.release(runId);
    });
  }

  /** Removes old summaries, and unfinished work that a later run of the same command has superseded. */
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
      this.#database.run(
        `update run set unfinished = null where run_id < ? and unfinished is not null
          and command = (select command from run where run_id = ?)`,
        [runId, runId],
      );
  }
}

/** Lists the topics that a collecting command collects: those in its arguments, otherwise all topics. */
function listTopics(command: string): string[] {
  const topics: string[] = [...new Set(Object.values(topicOfSource))];
  const named = command.split(" ").filter((word) => topics.includes(word));
  return named.length > 0 ? named : topics;
}
