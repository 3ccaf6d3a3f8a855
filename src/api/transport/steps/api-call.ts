import type { Dispatcher } from "undici";
import type { RequestTarget } from "../../errors.ts";

/** What the steps know about the request that passes them, beside what goes over the wire. */
export interface ApiCall {
  target: RequestTarget;
  /** It changes nothing, so it may be sent again when its answer is lost. */
  isRepeatable: boolean;
  /** Attempts in all, if fewer than the client's. */
  attempts?: number | undefined;
  signal: AbortSignal | undefined;
  /** Set where its 401 means that the credentials of this API client are refused: not even a new token was accepted. */
  refusedClientId?: string;
  /** Whether bytes of the current attempt may have left this machine. */
  wasSent: boolean;
  /** Whether the last byte of the current attempt's body was handed over. */
  wasBodySent(): boolean;
}

/** Dispatch options that carry their `ApiCall` from step to step. */
export type CallOptions = Dispatcher.DispatchOptions & { call: ApiCall };

/** Whether the service may have done what the current attempt asked for: nothing is done for half a request. */
export function mayBeCarriedOut({ isRepeatable, wasSent, wasBodySent }: ApiCall): boolean {
  return !isRepeatable && wasSent && wasBodySent();
}

export function callOf(options: Dispatcher.DispatchOptions): ApiCall {
  return (options as CallOptions).call;
}
