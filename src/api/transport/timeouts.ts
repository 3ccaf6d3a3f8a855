/** How long to wait for the service, in milliseconds. */
export interface Timeouts {
  /** Until a connection is made, TLS included. @default 10_000 */
  connectMs?: number;
  /** Until the head of an answer is there. @default 60_000 */
  headersMs?: number;
  /** Between two pieces of an answer's body. @default 60_000 */
  bodyIdleMs?: number;
  /** Between two pieces of a download. @default 30_000 */
  downloadIdleMs?: number;
}

export const defaultTimeouts: Required<Timeouts> = {
  connectMs: 10_000,
  headersMs: 60_000,
  bodyIdleMs: 60_000,
  downloadIdleMs: 30_000,
};
