import type { Dispatcher } from "undici";
import { PassingHandler } from "./passing-handler.ts";

/** While a request waited for its turn, another has brought the answer: nothing was sent. */
export class AnsweredMeanwhile extends Error {}

/** Sends a request that was answered meanwhile to the cache once more. Lies outside the cache. */
export const lookAgainStep: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, new LookingAgain(handler, (next) => dispatch(options, next)));

class LookingAgain extends PassingHandler {
  readonly #dispatch: (handler: Dispatcher.DispatchHandler) => boolean;

  constructor(
    handler: Dispatcher.DispatchHandler,
    dispatch: (handler: Dispatcher.DispatchHandler) => boolean,
  ) {
    super(handler);
    this.#dispatch = dispatch;
  }

  override onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (error instanceof AnsweredMeanwhile) this.#dispatch(this);
    else super.onResponseError(controller, error);
  }
}
