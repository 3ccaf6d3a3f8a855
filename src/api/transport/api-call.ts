import type { Dispatcher } from "undici";
import type { RequestTarget } from "../errors/api-error.ts";

/** What the steps know about the request that passes them, beside what goes over the wire. */
export interface ApiCall {
  target: RequestTarget;
  /** It changes nothing, so it may be sent again when its answer is lost. */
  isRepeatable: boolean;
  signal: AbortSignal | undefined;
  /** Whether bytes of the current attempt may have left this machine. */
  wasSent: boolean;
}

/** Dispatch options that carry their `ApiCall` from step to step. */
export type CallOptions = Dispatcher.DispatchOptions & { call: ApiCall };

export function callOf(options: Dispatcher.DispatchOptions): ApiCall {
  return (options as CallOptions).call;
}
