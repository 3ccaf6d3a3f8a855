import type { Dispatcher } from "undici";
import type { RequestBudget } from "../../../state/client/request-budget.ts";
import { type Clock, monotonicMs } from "../../../util/clock.ts";
import type { RetryOptions } from "../../../util/retry-delays.ts";
import { errorOfStatus } from "../../errors.ts";
import { type ApiCall, callOf } from "./api-call.ts";
import { LastingRefusal } from "./lasting-refusal.ts";
import { AnsweredMeanwhile } from "./look-again-step.ts";
import { PassingHandler } from "./passing-handler.ts";
import { RelayController } from "./relay-controller.ts";
import { retryAfterMs } from "./retry-after.ts";
import { SharedPause } from "./shared-pause.ts";

export interface BudgetStepOptions {
  budget: RequestBudget;
  retry: Required<RetryOptions>;
  clock: Clock;
  /** Called for each request as its first byte leaves. */
  onSent(): void;
  /** Whether a request need not be sent any more: another process has asked the same while this one waited. */
  isAnswered(options: Dispatcher.DispatchOptions): boolean;
}

/**
 * Lets a request through when the shared budget allows it, and tells the budget when it really leaves. An abort
 * ends the wait at once. Where the service has asked everybody to wait again and again, for longer than a request may take,
 * nobody waits any more.
 */
export function budgetStep(options: BudgetStepOptions): Dispatcher.DispatcherComposeInterceptor {
  const pause = new SharedPause(options.retry);
  const refusal = new LastingRefusal(options.retry.totalMs);
  return (dispatch) => (dispatchOptions, handler) => {
    const call = callOf(dispatchOptions);
    const budgeted = { ...options, pause, refusal, isAnswered: () => options.isAnswered(dispatchOptions) };
    const request = new BudgetedRequest(budgeted, call, handler, (next) => dispatch(dispatchOptions, next));
    void request.start();
    return true;
  };
}

type RequestOptions = Omit<BudgetStepOptions, "isAnswered"> & {
  pause: SharedPause;
  refusal: LastingRefusal;
  isAnswered(): boolean;
};

/** One request on its way through the budget. */
class BudgetedRequest extends PassingHandler {
  readonly #options: RequestOptions;
  readonly #call: ApiCall;
  readonly #dispatch: (handler: Dispatcher.DispatchHandler) => boolean;
  #hitId = 0;
  #sentMs = 0;
  #cameTooLate = false;

  constructor(
    options: RequestOptions,
    call: ApiCall,
    handler: Dispatcher.DispatchHandler,
    dispatch: (handler: Dispatcher.DispatchHandler) => boolean,
  ) {
    super(handler);
    this.#options = options;
    this.#call = call;
    this.#dispatch = dispatch;
  }

  async start(): Promise<void> {
    this.#cameTooLate = false;
    try {
      this.#hitId = await waitForTurn(this.#options, this.#call);
      if (this.#options.isAnswered()) {
        this.#options.budget.release(this.#hitId);
        throw new AnsweredMeanwhile();
      }
    } catch (error) {
      super.onResponseError(new RelayController(), error as Error);
      return;
    }
    try {
      this.#dispatch(this);
    } catch (error) {
      this.onResponseError(new RelayController(), error as Error);
    }
  }

  override onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    const { signal } = this.#call;
    if (signal?.aborted) {
      controller.abort(signal.reason);
      return;
    }
    if (!this.#options.budget.markSent(this.#hitId)) {
      this.#cameTooLate = true;
      controller.abort(new Error("the connection took so long that the request lost its turn"));
      return;
    }
    this.#call.wasSent = true;
    this.#sentMs = monotonicMs();
    this.#options.onSent();
    super.onRequestStart(controller, context);
  }

  override onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusText?: string,
  ): void {
    // Told on the way (1xx); the answer follows.
    if (status < 200) return;
    const { budget, pause, refusal } = this.#options;
    const isBusy = status === 429 || status === 408 || status >= 500;
    const askedMs = isBusy ? retryAfterMs(headers["retry-after"], headers.date) : undefined;
    const delayMs = askedMs ?? (status === 429 ? pause.afterRefusalOf(this.#sentMs) : undefined);
    if (delayMs !== undefined) {
      budget.postpone(delayMs);
      refusal.add(status);
    } else if (status !== 429 && status !== 503) {
      pause.end();
      refusal.end();
    }
    super.onResponseStart(controller, status, headers, statusText);
  }

  override onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    // It never left: it queues again.
    if (this.#cameTooLate) return void this.start();
    if (!this.#call.wasSent) this.#options.budget.release(this.#hitId);
    super.onResponseError(controller, error);
  }
}

/**
 * Waits in the queue; answers the hit that the request may be sent as.
 * @throws {ApiError} where there is to be a wait, but the service has refused everything for too long
 */
async function waitForTurn(
  { budget, clock, refusal }: RequestOptions,
  { signal, target }: ApiCall,
): Promise<number> {
  signal?.throwIfAborted();
  let ticketId = budget.join();
  try {
    while (true) {
      const turn = budget.ask(ticketId);
      if (turn === undefined) ticketId = budget.join();
      else if ("hitId" in turn) return turn.hitId;
      else {
        const status = refusal.findStatus();
        // It was not sent, so that nothing was carried out.
        if (status !== undefined) throw errorOfStatus(target, true, { status, text: "" });
        await clock.sleep(Math.ceil(turn.waitMs), signal);
      }
    }
  } catch (error) {
    budget.leave(ticketId);
    throw error;
  }
}
