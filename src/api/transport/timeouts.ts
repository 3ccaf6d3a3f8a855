/** Time limits for the service, in milliseconds. */
export interface Timeouts {
  /** To connect, including TLS. @default 10_000 */
  connectMs?: number;
  /** Until the headers of a response arrive. @default 60_000 */
  headersMs?: number;
  /** Between two chunks of a response body. @default 60_000 */
  bodyIdleMs?: number;
  /** Between two chunks of a download. @default 30_000 */
  downloadIdleMs?: number;
}

export const defaultTimeouts: Required<Timeouts> = {
  connectMs: 10_000,
  headersMs: 60_000,
  bodyIdleMs: 60_000,
  downloadIdleMs: 30_000,
};
