/** How often and how long failed requests are repeated. */
export interface RetryOptions {
  /** Attempts in all, the first included. @default 8 */
  attempts?: number;
  /** The same where no connection can be made. @default 5 */
  connectionAttempts?: number;
  /** Where no connection can be made, no repetition starts later than this after the first attempt. @default 10_000 */
  connectionMs?: number;
  /** Longest wait before the first repetition; it doubles each time. @default 500 */
  firstDelayMs?: number;
  /** Longest wait before any repetition. @default 30_000 */
  longestDelayMs?: number;
  /** No repetition starts later than this after the first attempt. @default 900_000 */
  totalMs?: number;
  /** Numbers from 0 to 1, for the jitter. @default Math.random */
  random?: () => number;
}

export const defaultRetry: Required<RetryOptions> = {
  attempts: 8,
  connectionAttempts: 5,
  connectionMs: 10_000,
  firstDelayMs: 500,
  longestDelayMs: 30_000,
  totalMs: 900_000,
  random: Math.random,
};

/** One attempt that failed. */
export interface FailedAttempt {
  /** 1 for the first. */
  attempt: number;
  /** Since the first attempt began, or the first one that made no connection, in milliseconds. */
  elapsedMs: number;
  /** Whether a connection was made. */
  isConnected: boolean;
}

/**
 * How long to wait before the next attempt, in milliseconds: anything from nothing to a bound that doubles (full
 * jitter), so that those who failed together don't come back together. `undefined`: give up.
 */
export function retryDelayMs(
  { attempt, elapsedMs, isConnected }: FailedAttempt,
  options: Required<RetryOptions>,
): number | undefined {
  if (attempt >= attemptLimit(isConnected, options)) return undefined;
  const longest = Math.min(options.firstDelayMs * 2 ** (attempt - 1), options.longestDelayMs);
  const delayMs = options.random() * longest;
  const limitMs = isConnected ? options.totalMs : Math.min(options.connectionMs, options.totalMs);
  return elapsedMs + delayMs > limitMs ? undefined : delayMs;
}

export function attemptLimit(isConnected: boolean, options: Required<RetryOptions>): number {
  return isConnected ? options.attempts : Math.min(options.connectionAttempts, options.attempts);
}
