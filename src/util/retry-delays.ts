export interface RetryOptions {
  /** Maximum number of attempts, including the first. @default 8 */
  attempts?: number;
  /** Maximum number of attempts if no connection can be made. @default 5 */
  connectionAttempts?: number;
  /** Time limit from the first attempt if no connection can be made. @default 10_000 */
  connectionMs?: number;
  /** Longest wait before the first retry; it doubles each time. @default 500 */
  firstDelayMs?: number;
  /** Longest wait before any retry. @default 30_000 */
  longestDelayMs?: number;
  /** Time limit for starting a retry, from the first attempt. @default 900_000 */
  totalMs?: number;
  /** Returns numbers from 0 to 1, for the jitter. @default Math.random */
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

export interface FailedAttempt {
  /** Number of the attempt, starting with 1. */
  attempt: number;
  /** Milliseconds since the start of the first attempt, or of the first attempt that failed to connect. */
  elapsedMs: number;
  isConnected: boolean;
}

/**
 * Returns the backoff before the next attempt, in milliseconds: random between 0 and a bound that doubles (full
 * jitter), so that clients that failed together don't retry together. Returns `undefined` if no attempt should
 * follow.
 */
export function computeRetryDelayMs(
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
