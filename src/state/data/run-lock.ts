import { hostname } from "node:os";
import { processStarted, sameProcessLives } from "../../util/process-lives.ts";
import { VenueError } from "../../util/venue-error.ts";
import type { Sqlite } from "../sqlite.ts";

/** How often a holder says that it lives, and after how long a silent holder on another host counts as gone. */
const beatIntervalMs = 10_000;
const silenceMs = 5 * 60_000;

interface Holder {
  run_id: number;
  command: string;
  pid: number;
  process_started: string;
  host: string;
  since: string;
  beat_at: string;
}

/** Lets one run at a time change a data folder. Its steps belong in the caller's transaction. */
export class RunLock {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** @throws {RunLockedError} naming who holds the lock, if the holder lives */
  assertFree(): void {
    const holder = this.#database.find<Holder>("select * from run_lock");
    if (holder && isAlive(holder)) throw new RunLockedError(holder);
  }

  /** Takes the lock for this process, from nobody or from a holder that died. */
  take(runId: number, command: string): void {
    const now = new Date().toISOString();
    this.#database.run("insert or replace into run_lock values (1, ?, ?, ?, ?, ?, ?, ?)", [
      runId,
      command,
      process.pid,
      processStarted(process.pid),
      hostname(),
      now,
      now,
    ]);
  }

  /** Says from time to time that the holder lives; the answer stops that. */
  keepAlive(runId: number): () => void {
    const beat = setInterval(() => {
      try {
        this.#database.run("update run_lock set beat_at = ? where run_id = ?", [
          new Date().toISOString(),
          runId,
        ]);
      } catch {
        // A beat may be missed, when the database is busy or the disk is full; the work itself will say so.
      }
    }, beatIntervalMs);
    beat.unref();
    return () => clearInterval(beat);
  }

  release(runId: number): void {
    this.#database.run("delete from run_lock where run_id = ?", [runId]);
  }
}

function isAlive(holder: Holder): boolean {
  // A beat that is far ahead was given before this clock, or that one, was set back: nothing else would end such a lock.
  if (holder.host !== hostname()) return Math.abs(Date.now() - Date.parse(holder.beat_at)) < silenceMs;
  return sameProcessLives(holder.pid, holder.process_started);
}

/** Another run changes this data folder now. */
export class RunLockedError extends VenueError {
  override readonly name = "RunLockedError";
  readonly code = "RUN_LOCKED";
  readonly category = "busy";
  readonly pid: number;

  constructor(holder: Holder) {
    super(
      `Another run works on this data folder: \`venue ${holder.command}\`, process ${holder.pid} on ${holder.host}, ` +
        `since ${holder.since}. Wait until it ends; reports can be read meanwhile.`,
    );
    this.pid = holder.pid;
  }
}
