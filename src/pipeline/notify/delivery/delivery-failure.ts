/** Why a message was not delivered. */
export interface DeliveryFailure {
  /** A sentence for operators, without secrets. */
  reason: string;
  /** Another attempt would fail, too. */
  isPermanent?: boolean;
  /** The receiver can't be reached, refuses the login or is overloaded: other messages to it would fail, too. */
  isUnreachable?: boolean;
  /** Pause that the receiver requested. */
  retryAfterMs?: number | undefined;
}
