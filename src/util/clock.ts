import { setMaxListeners } from "node:events";

/** Source of "now". Rate limits and expiry use the real clock; data uses `now()`. */
export interface Clock {
  /** The current time for data (snapshots, settling, default periods). Fixed by `VENUE_NOW`. */
  now(): Date;
  /** Waits in real time. If the signal aborts, rejects at once with its reason. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/** Returns a clock that waits in real time. If an instant is given, the data's current time is fixed at it. */
export function createClock(fixedNow?: Date): Clock {
  return {
    now: () => (fixedNow ? new Date(fixedNow) : new Date()),
    sleep,
  };
}

/** Returns a clock whose waits also reject, with the signal's reason, when `stopping` aborts. */
export function abortWaits(clock: Clock, stopping: AbortSignal): Clock {
  // Disables Node's leak warning, because many waits may listen at once.
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

/** Returns milliseconds of a monotonic clock, which all processes share and which restarts at boot. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
