import type { RequestBudget } from "../../state/client/request-budget.ts";
import { type Clock, monotonicMs } from "../../util/clock.ts";
import type { RetryOptions } from "../../util/retry-delays.ts";
import { createStatusError } from "../errors.ts";
import type { ApiRequest } from "./request.ts";
import { parseRetryAfter } from "./retry.ts";

/**
 * Waits in the queue shared by all processes until the budget allows a request. Returns the id of the turn. An
 * abort ends the wait.
 * @throws {ApiError} if the service has refused all requests for longer than a request may wait
 */
export async function waitForTurn(
  { signal, target }: ApiRequest,
  { budget, clock, refusals }: { budget: RequestBudget; clock: Clock; refusals: Refusals },
): Promise<number> {
  signal.throwIfAborted();
  let ticketId = budget.join();
  try {
    while (true) {
      const turn = budget.claimTurn(ticketId);
      if (turn === undefined) ticketId = budget.join();
      else if ("hitId" in turn) return turn.hitId;
      else {
        const status = refusals.findPersistentStatus();
        // The request was never sent.
        if (status !== undefined) throw createStatusError(target, true, { status, text: "" });
        await clock.sleep(Math.ceil(turn.waitMs), signal);
      }
    }
  } catch (error) {
    budget.leave(ticketId);
    throw error;
  }
}

/** Tracks the responses by which the service slows down one client. */
export class Refusals {
  readonly #retry: Required<RetryOptions>;
  /** Number of consecutive pauses after a 429 without `Retry-After`. */
  #pauses = 0;
  #pausedMs = -Infinity;
  /** Current series of refusals: arrival of the first and the last, and status of the last. */
  #firstMs = 0;
  #lastMs = -Infinity;
  #status = 0;

  constructor(retry: Required<RetryOptions>) {
    this.#retry = retry;
  }

  /**
   * Records a response to a request sent at `sentMs` on the monotonic clock.
   * @returns the pause for all processes, in milliseconds; `undefined` if none is needed
   */
  record(
    status: number,
    headers: Record<string, string | string[] | undefined>,
    sentMs: number,
  ): number | undefined {
    const isBusy = status === 429 || status === 408 || status >= 500;
    const requestedMs = isBusy ? parseRetryAfter(headers["retry-after"], headers.date) : undefined;
    const pauseMs = requestedMs ?? (status === 429 ? this.#nextPauseMs(sentMs) : undefined);
    if (pauseMs !== undefined) this.#add(status);
    else if (status !== 429 && status !== 503) {
      this.#pauses = 0;
      this.#lastMs = -Infinity;
    }
    return pauseMs;
  }

  /** Returns the last refusal's status if all requests have been refused for longer than a request may take. */
  findPersistentStatus(): number | undefined {
    const isLasting = this.#lastMs > -Infinity && monotonicMs() - this.#firstMs > this.#retry.totalMs;
    return isLasting ? this.#status : undefined;
  }

  #add(status: number): void {
    const nowMs = monotonicMs();
    // A longer interval starts a new series of refusals.
    if (nowMs - this.#lastMs > this.#retry.totalMs) this.#firstMs = nowMs;
    this.#lastMs = nowMs;
    this.#status = status;
  }

  /** Doubles the pause until a request succeeds. Requests sent before the last pause don't cause another pause. */
  #nextPauseMs(sentMs: number): number | undefined {
    if (sentMs < this.#pausedMs) return undefined;
    const { firstDelayMs, longestDelayMs } = this.#retry;
    const pauseMs = Math.min(firstDelayMs * 2 ** this.#pauses, longestDelayMs);
    this.#pauses += 1;
    this.#pausedMs = monotonicMs();
    return pauseMs;
  }
}
