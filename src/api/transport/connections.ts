import type { Agent, Dispatcher } from "undici";
import { createHttpAgent } from "../../util/http-agent.ts";

export interface ConnectionUse {
  /** False if the request must not be sent twice. It then uses a new connection. */
  isRepeatable: boolean;
  /** Called when the request is about to be sent; may abort it. */
  onStart(controller: Dispatcher.DispatchController): void;
}

export class Connections {
  /** True if the last attempt to connect failed. The failure is logged once, not for each request. */
  isKnownUnreachable = false;
  readonly #reused: Agent;
  /**
   * Opens one connection per request. If a server closed a reused connection during a request, the request's
   * outcome would be unknown.
   */
  readonly #fresh: Agent;

  constructor(connectMs: number) {
    this.#reused = createHttpAgent({ connect: { timeout: connectMs } });
    this.#fresh = createHttpAgent({ connect: { timeout: connectMs }, pipelining: 0 });
  }

  async request(
    options: Dispatcher.RequestOptions,
    { isRepeatable, onStart }: ConnectionUse,
  ): Promise<Dispatcher.ResponseData> {
    const agent = isRepeatable ? this.#reused : this.#fresh;
    return await agent.compose(reportStart(onStart)).request(options);
  }

  /** Closes all connections; requests in flight fail. */
  async close(): Promise<void> {
    await Promise.all([this.#reused.destroy(), this.#fresh.destroy()]);
  }
}

function reportStart(onStart: ConnectionUse["onStart"]): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        onStart(controller);
        if (!controller.aborted) handler.onRequestStart?.(controller, context);
      },
      onResponseStart: (...response) => handler.onResponseStart?.(...response),
      onResponseData: (...data) => handler.onResponseData?.(...data),
      onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
      onResponseError: (...failure) => handler.onResponseError?.(...failure),
    });
}
