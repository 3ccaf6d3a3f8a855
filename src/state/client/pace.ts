/** Maximum number of requests in any window of time. */
export interface Pace {
  requests: number;
  windowMs: number;
}

/**
 * Converts the agreed rate to a number of requests in any sliding window. Rates above one are rounded down
 * (2.5 is two in any second); rates below one stretch the window (0.5 is one in any two seconds).
 */
export function computePace(ratePerSecond: number): Pace {
  return ratePerSecond >= 1
    ? { requests: computeAllowedRate(ratePerSecond), windowMs: 1000 }
    : { requests: 1, windowMs: 1000 / ratePerSecond };
}

/** Returns the rate per second that the pace allows. */
export function computeAllowedRate(ratePerSecond: number): number {
  return ratePerSecond >= 1 ? Math.floor(ratePerSecond) : ratePerSecond;
}

/** Margin for network jitter. Measured: 97 % of the rate with six processes, and no window exceeded. */
export const marginMs = 25;

/** Returns the seconds from the first of `count` requests to the last, each sent as soon as allowed. */
export function estimateSendSeconds(count: number, pace: Pace): number {
  const before = Math.max(0, count - 1);
  const windows = Math.floor(before / pace.requests);
  return (windows * (pace.windowMs + marginMs) + (before % pace.requests) * computeSpacingMs(pace)) / 1000;
}

/** A request that was granted a turn, in milliseconds of one clock. */
export interface Hit {
  grantedMs: number;
  /** `null` if not sent yet; it may be sent at any moment. */
  sentMs: number | null;
}

/**
 * Returns the earliest instant for one more request: a whole window and a margin after the n-th last one, and
 * half the mean distance after the last one, so that requests don't bunch up. A granted request that was not
 * sent yet counts as sent now.
 */
export function computeDueMs(hits: readonly Hit[], pace: Pace, nowMs: number): number {
  const sent = hits.map((hit) => hit.sentMs ?? nowMs).sort((a, b) => b - a);
  const nthLast = sent[pace.requests - 1];
  const last = Math.max(...hits.map((hit) => hit.sentMs ?? hit.grantedMs));
  return Math.max(
    nthLast === undefined ? -Infinity : nthLast + pace.windowMs + marginMs,
    last + computeSpacingMs(pace),
  );
}

/** Returns the minimum distance between two requests. */
export function computeSpacingMs({ requests, windowMs }: Pace): number {
  return windowMs / requests / 2;
}
