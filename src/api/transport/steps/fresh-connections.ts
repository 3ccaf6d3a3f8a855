import type { Dispatcher } from "undici";
import { callOf } from "./api-call.ts";

/**
 * Sends what must not be sent twice over connections of its own, each new: a connection that was kept open may be
 * closed by the server just when a request enters it, and then nobody knows whether the request arrived.
 */
export function freshConnections(dispatcher: Dispatcher): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    callOf(options).isRepeatable ? dispatch(options, handler) : dispatcher.dispatch(options, handler);
}
