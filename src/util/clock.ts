import { setMaxListeners } from "node:events";

/** Where "now" comes from. Rate limits and expiry follow the real clock; data follows `now()`. */
export interface Clock {
  /** "Now" in data: snapshots, settling, default periods. Fixed by `VENUE_NOW`. */
  now(): Date;
  /** Resolves after so many real milliseconds; rejects at once with the signal's reason when aborted. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/** The real clock, with "now" in data fixed where an instant is given. */
export function createClock(fixedNow?: Date): Clock {
  return {
    now: () => (fixedNow ? new Date(fixedNow) : new Date()),
    sleep,
  };
}

/** A clock whose waits also end, with its reason, when this signal is aborted. */
export function endingWaits(clock: Clock, stopping: AbortSignal): Clock {
  // Many may wait at a time.
  setMaxListeners(0, stopping);
  return { ...clock, sleep: (durationMs, signal) => sleep(durationMs, signal, stopping) };
}

function sleep(durationMs: number, ...signals: (AbortSignal | undefined)[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = signals.find((signal) => signal?.aborted);
    if (aborted) return reject(aborted.reason);
    const end = () => {
      clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener("abort", onAbort);
    };
    const onAbort = ({ target }: Event) => {
      end();
      reject((target as AbortSignal).reason);
    };
    const timer = setTimeout(() => {
      end();
      resolve();
    }, durationMs);
    for (const signal of signals) signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/**
 * Milliseconds of the machine's monotonic clock: the same for all its processes, never set back, and counted anew
 * when the machine starts.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
