/** Time limits for the service, in milliseconds. */
export interface Timeouts {
  /** Maximum time to connect, including TLS. @default 10_000 */
  connectMs?: number;
  /** Maximum time until the response's headers arrive. @default 60_000 */
  headersMs?: number;
  /** Maximum time between two chunks of a response body. @default 60_000 */
  bodyIdleMs?: number;
  /** Maximum time between two chunks of a download. @default 30_000 */
  downloadIdleMs?: number;
}

export const defaultTimeouts: Required<Timeouts> = {
  connectMs: 10_000,
  headersMs: 60_000,
  bodyIdleMs: 60_000,
  downloadIdleMs: 30_000,
};
