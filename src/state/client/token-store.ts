import { randomUUID } from "node:crypto";
import { monotonicMs } from "../../util/clock.ts";
import { hasEnded, identifyThisProcess } from "../../util/process-liveness.ts";
import type { Sqlite } from "../sqlite.ts";

/** An access token, shared by all processes of this user. */
export interface StoredToken {
  accessToken: string;
  /** Number of renewals so far, which distinguishes a token from the previous one. */
  generation: number;
  /** Latest generation that the service has accepted from any process; 0 if none. */
  acceptedGeneration: number;
  /** Epoch milliseconds. */
  expiresAt: number;
  /** Time after which the token should be renewed, although it is still valid. Epoch milliseconds. */
  renewAt: number;
  /** Epoch milliseconds. */
  storedAt: number;
}

interface TokenRow extends TokenHolder {
  access_token: string | null;
  generation: number;
  accepted_generation: number;
  expires_at: number;
  renew_at: number;
  stored_at: number;
}

/** The process that is renewing a token. */
interface TokenHolder {
  holder: string | null;
  holder_process: string | null;
  lease_ms: number | null;
}

/** Duration of a lease. The holder renews it every third of this time; otherwise the lease expires. */
const leaseMs = 15_000;

/**
 * Access token of one API client, with the lease to renew it. Only one process at a time may hold the lease.
 */
export class TokenStore {
  readonly #database: Sqlite;
  readonly #api: string;

  constructor(database: Sqlite, api: string) {
    this.#database = database;
    this.#api = api;
  }

  /** Returns the last stored token, even if it has expired. */
  find(): StoredToken | undefined {
    const row = this.#findRow();
    if (!row?.access_token) return undefined;
    const { access_token, generation, accepted_generation, expires_at, renew_at, stored_at } = row;
    return {
      accessToken: access_token,
      generation,
      acceptedGeneration: accepted_generation,
      expiresAt: expires_at,
      renewAt: renew_at,
      storedAt: stored_at,
    };
  }

  /** Records that the service accepted a token of this generation. */
  accept(generation: number): void {
    this.#database.run("update token set accepted_generation = max(accepted_generation, ?) where api = ?", [
      generation,
      this.#api,
    ]);
  }

  /**
   * Takes the lease to renew the token of this generation (0 if none exists yet).
   * @returns `undefined` if another process holds the lease, or has already renewed the token
   */
  claim(generation: number): Renewal | undefined {
    const holder = randomUUID();
    return this.#database.immediate(() => {
      this.#database.run(
        "insert or ignore into token (api, generation, expires_at, renew_at) values (?, 0, 0, 0)",
        [this.#api],
      );
      const row = this.#findRow();
      if (row === undefined || row.generation !== generation || isHeld(row)) return undefined;
      this.#database.run(
        "update token set holder = ?, holder_pid = ?, holder_process = ?, lease_ms = ? where api = ?",
        [holder, process.pid, identifyThisProcess(), monotonicMs() + leaseMs, this.#api],
      );
      return new Renewal(this.#database, this.#api, holder);
    });
  }

  #findRow(): TokenRow | undefined {
    return this.#database.find<TokenRow>("select * from token where api = ?", [this.#api]);
  }
}

/**
 * Exclusive right to renew the token. It ends when the new token is stored, the lease is released, or its holder dies.
 */
export class Renewal {
  readonly #database: Sqlite;
  readonly #api: string;
  readonly #holder: string;
  readonly #beat: NodeJS.Timeout;

  constructor(database: Sqlite, api: string, holder: string) {
    this.#database = database;
    this.#api = api;
    this.#holder = holder;
    this.#beat = setInterval(() => this.#extendLease(), leaseMs / 3).unref();
  }

  /** Stores the new token and releases the lease. `expiresAt` and `renewAt` are epoch milliseconds. */
  store(accessToken: string, expiresAt: number, renewAt: number): void {
    clearInterval(this.#beat);
    this.#database.run(
      "update token set access_token = ?, expires_at = ?, renew_at = ?, stored_at = ?, " +
        "generation = generation + 1, holder = null where api = ? and holder = ?",
      [accessToken, expiresAt, renewAt, Date.now(), this.#api, this.#holder],
    );
  }

  /** Releases the lease, so that another process can try at once. */
  giveUp(): void {
    clearInterval(this.#beat);
    this.#setLease(0);
  }

  /** Keeps the lease until it expires, so that no process tries again before then. */
  pause(): void {
    clearInterval(this.#beat);
    this.#setLease(leaseMs);
  }

  #extendLease(): void {
    if (!this.#database.isOpen) {
      clearInterval(this.#beat);
      return;
    }
    try {
      this.#setLease(leaseMs);
    } catch {
      // The disk is full, or the file is locked. At worst, another process renews the token as well.
    }
  }

  #setLease(durationMs: number): void {
    if (!this.#database.isOpen) return;
    this.#database.run("update token set lease_ms = ? where api = ? and holder = ?", [
      monotonicMs() + durationMs,
      this.#api,
      this.#holder,
    ]);
  }
}

/**
 * Returns true for a valid lease. A lease that ends too far in the future was written before the machine restarted,
 * which reset the clock.
 */
function isHeld({ holder, holder_process, lease_ms }: TokenHolder): boolean {
  if (holder === null || lease_ms === null) return false;
  const leftMs = lease_ms - monotonicMs();
  return leftMs > 0 && leftMs <= leaseMs && !hasEnded(holder_process);
}
