/** The reason why a message was not delivered. */
export interface DeliveryFailure {
  /** A sentence for operators, without secrets. */
  reason: string;
  /** True if another attempt would fail, too. */
  isPermanent?: boolean;
  /** True if other messages to the receiver would fail, too: it is down or overloaded, or refuses the login. */
  isUnreachable?: boolean;
  /** Pause that the receiver requested. */
  retryAfterMs?: number | undefined;
}
