import { hostname } from "node:os";
import { createClock, monotonicMs } from "../../util/clock.ts";
import { getProcessSpace, hasEnded, identifyThisProcess } from "../../util/process-liveness.ts";
import { VenueError } from "../../util/venue-error.ts";
import type { Sqlite } from "../sqlite.ts";

const beatIntervalMs = 10_000;

interface Holder {
  run_id: number;
  command: string;
  pid: number;
  /** Process identity, as returned by `identifyThisProcess`. Earlier versions recorded only the start time. */
  process_started: string;
  host: string;
  since: string;
  /**
   * Time of the last heartbeat on the holder's clock. It is only checked for changes, never compared with
   * this host's clock.
   */
  beat_at: string;
}

/** A holder on another host that sent no heartbeat while this process was watching. */
export type UnresponsiveHolder = Pick<Holder, "run_id" | "beat_at">;

export interface WatchOptions {
  signal?: AbortSignal;
  /** Called before the wait with a message for people. */
  onWait?: (message: string) => void;
  /**
   * Time without a heartbeat after which the holder is considered dead, in milliseconds.
   * @default 120_000, twelve intervals
   */
  silenceMs?: number;
  /** @default 1_000 */
  pollMs?: number;
}

/**
 * Lets only one run at a time change a data folder. The run's id is a fencing token, so a process that was
 * paused cannot write once another run has taken over. Call the synchronous methods inside a transaction.
 */
export class RunLock {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /**
   * Waits for a heartbeat of a holder on another host, because processes there are not visible from here.
   * @returns the holder, if it sent no heartbeat; `undefined` if no process on another host holds the lock
   * @throws {RunLockedError} at the holder's first heartbeat
   */
  async watchForeignHolder({
    signal,
    onWait,
    silenceMs = 12 * beatIntervalMs,
    pollMs = 1_000,
  }: WatchOptions = {}): Promise<UnresponsiveHolder | undefined> {
    const clock = createClock();
    const first = this.#find();
    if (first === undefined || isOnThisHost(first)) return undefined;
    onWait?.(
      `${describe(first)} holds the lock of this data folder. Waiting up to ${Math.ceil(silenceMs / 60_000)} minutes for a heartbeat.`,
    );
    for (const from = monotonicMs(); monotonicMs() - from < silenceMs; ) {
      await clock.sleep(pollMs, signal);
      const now = this.#find();
      if (now === undefined) return undefined;
      if (!isSameBeat(now, first)) throw new RunLockedError(now);
    }
    return first;
  }

  /**
   * Throws unless the lock is free.
   * @param silent a holder that is considered dead because it sent no heartbeat
   * @throws {RunLockedError} if a holder may be alive
   */
  assertFree(silent?: UnresponsiveHolder): void {
    const holder = this.#find();
    if (holder === undefined) return;
    const mayLive = isOnThisHost(holder)
      ? !hasEnded(holder.process_started)
      : !(silent && isSameBeat(holder, silent));
    if (mayLive) throw new RunLockedError(holder);
  }

  /** @throws {VenueError} `RUN_LOCK_LOST` if another run took over the lock */
  assertHeld(runId: number): void {
    if (this.#find()?.run_id !== runId) throw runLockLostError(this.#database.path);
  }

  /** Takes the lock for this process. Call `assertFree` first, in the same transaction. */
  take(runId: number, command: string): void {
    const now = new Date();
    this.#database.run("insert or replace into run_lock values (1, ?, ?, ?, ?, ?, ?, ?)", [
      runId,
      command,
      process.pid,
      identifyThisProcess(),
      hostname(),
      now,
      now,
    ]);
  }

  /** Starts sending heartbeats. Returns a function that stops them. */
  keepAlive(runId: number): () => void {
    const beat = setInterval(() => {
      try {
        this.#database.run("update run_lock set beat_at = ? where run_id = ?", [new Date(), runId]);
      } catch {
        // A heartbeat may fail because the database is busy or the disk is full. The run will report that
        // itself.
      }
    }, beatIntervalMs);
    beat.unref();
    return () => clearInterval(beat);
  }

  release(runId: number): void {
    this.#database.run("delete from run_lock where run_id = ?", [runId]);
  }

  #find(): Holder | undefined {
    return this.#database.find<Holder>("select * from run_lock");
  }
}

/**
 * Returns true if the holder's process is visible from here. The host name alone is not enough, because
 * containers may share it.
 */
function isOnThisHost({ host, process_started }: Holder): boolean {
  return host === hostname() && process_started.endsWith(` ${getProcessSpace()}`);
}

function isSameBeat(one: UnresponsiveHolder, other: UnresponsiveHolder): boolean {
  return one.run_id === other.run_id && one.beat_at === other.beat_at;
}

function describe({ command, pid, host }: Holder): string {
  return `\`venue ${command}\`, process ${pid} on ${host},`;
}

export class RunLockedError extends VenueError {
  readonly pid: number;

  constructor(holder: Holder) {
    super(
      "RUN_LOCKED",
      "busy",
      `Another run is using this data folder: ${describe(holder)} since ${holder.since}. Wait until it ends; reports can be read meanwhile.`,
    );
    this.pid = holder.pid;
  }
}

/** This process was paused for so long that another run considered it dead. */
function runLockLostError(path: string): VenueError {
  return new VenueError(
    "RUN_LOCK_LOST",
    "busy",
    `Another run took over the lock in ${path} while this one sent no heartbeat. This run stopped without writing anything more. Run it again after the other one ends.`,
  );
}
