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

function sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, durationMs);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
