import type { Dispatcher } from "undici";

/** While a request waited for its turn, another has brought the answer: nothing was sent. */
export class AnsweredMeanwhile extends Error {}

/** Sends a request that was answered meanwhile to the cache once more. Lies outside the cache. */
export const lookAgainStep: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, new LookingAgain(handler, (next) => dispatch(options, next)));

class LookingAgain implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #dispatch: (handler: Dispatcher.DispatchHandler) => boolean;

  constructor(
    handler: Dispatcher.DispatchHandler,
    dispatch: (handler: Dispatcher.DispatchHandler) => boolean,
  ) {
    this.#handler = handler;
    this.#dispatch = dispatch;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusText?: string,
  ): void {
    this.#handler.onResponseStart?.(controller, status, headers, statusText);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(
    controller: Dispatcher.DispatchController,
    trailers: Record<string, string | string[] | undefined>,
  ): void {
    this.#handler.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (error instanceof AnsweredMeanwhile) this.#dispatch(this);
    else this.#handler.onResponseError?.(controller, error);
  }
}
