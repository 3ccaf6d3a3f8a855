/** The reason why a message was not delivered. */
export interface DeliveryFailure {
  /** A sentence for operators, without secrets. */
  reason: string;
  /** True if another attempt would fail, too. */
  isPermanent?: boolean;
  /** True if other messages to the receiver would fail, too: it is down or overloaded, or refuses the login. */
  isUnreachable?: boolean;
  /** True if the receiver may refuse the mail because of its files. */
  isAboutContent?: boolean;
  /** True if the message may have arrived, because the answer was lost. */
  mayHaveArrived?: boolean;
  /** Pause that the receiver requested. */
  retryAfterMs?: number | undefined;
}

/** Returns false if a connection failed before anything was sent. @param code of the system or the library */
export function mayHaveArrived(code: string): boolean {
  return !/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EDNS|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(
    code,
  );
}
