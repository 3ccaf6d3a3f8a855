import type { Dispatcher } from "undici";
import { type Clock, monotonicMs } from "../../../util/clock.ts";
import { faultOf } from "../../../util/connection-fault.ts";
import type { Logger } from "../../../util/logger.ts";
import { attemptLimit, type RetryOptions, retryDelayMs } from "../../../util/retry-delays.ts";
import { publicCause, VenueError } from "../../../util/venue-error.ts";
import { describe, MaybeCarriedOutError } from "../../errors.ts";
import { type ApiCall, callOf, mayBeCarriedOut } from "./api-call.ts";
import { RelayController } from "./relay-controller.ts";
import { retryAfterMs } from "./retry-after.ts";

export interface RetryStepOptions {
  retry: Required<RetryOptions>;
  clock: Clock;
  logger: Logger;
}

/** State that all requests to one host share. */
interface Host {
  /** A failed connection was reported, and none has succeeded since. */
  isKnownUnreachable: boolean;
}

/** Refused before anything was done, so that anything may be repeated. */
const refusedStatus = 429;
/** Of 5xx, what says that the request can't be served at all, or of a network that one has to log in to. */
const lastingStatuses = new Set([501, 505, 511]);

/**
 * Repeats what failed, as long as that is safe and allowed: requests that change nothing after any passing fault;
 * others only when they were surely not carried out. Each repetition is announced, but only the first of many that find
 * the host unreachable.
 */
export function retryStep(options: RetryStepOptions): Dispatcher.DispatcherComposeInterceptor {
  const host: Host = { isKnownUnreachable: false };
  return (dispatch) => (dispatchOptions, handler) => {
    const request = new RepeatedRequest(options, host, callOf(dispatchOptions), handler, (next) =>
      dispatch(dispatchOptions, next),
    );
    request.start();
    return true;
  };
}

/** One request, over all its attempts. An attempt's answer is passed on from its head, or swallowed whole. */
class RepeatedRequest implements Dispatcher.DispatchHandler {
  readonly #options: RetryStepOptions;
  readonly #retry: Required<RetryOptions>;
  readonly #host: Host;
  readonly #call: ApiCall;
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #dispatch: (handler: Dispatcher.DispatchHandler) => boolean;
  readonly #controller = new RelayController();
  readonly #startedMs = monotonicMs();
  #attempt = 0;
  /** When the first of the latest attempts began that made no connection. */
  #unreachableSinceMs: number | undefined;
  #attemptMs = this.#startedMs;
  #isStarted = false;
  #isPassingOn = false;
  /** Set while the answer of an attempt that will be repeated is swallowed. */
  #repeat: (() => void) | undefined;

  constructor(
    options: RetryStepOptions,
    host: Host,
    call: ApiCall,
    handler: Dispatcher.DispatchHandler,
    dispatch: (handler: Dispatcher.DispatchHandler) => boolean,
  ) {
    const { retry } = options;
    this.#options = options;
    this.#host = host;
    this.#retry = { ...retry, attempts: Math.min(retry.attempts, call.attempts ?? retry.attempts) };
    this.#call = call;
    this.#handler = handler;
    this.#dispatch = dispatch;
  }

  start(): void {
    this.#attempt += 1;
    this.#attemptMs = monotonicMs();
    this.#call.wasSent = false;
    try {
      this.#dispatch(this);
    } catch (error) {
      this.onResponseError(this.#controller, error as Error);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#controller.bind(controller);
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#handler.onRequestStart?.(this.#controller, context);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusText?: string,
  ): void {
    this.#host.isKnownUnreachable = false;
    const mayRepeat = status === refusedStatus || (this.#call.isRepeatable && hasFailed(status));
    const delayMs = mayRepeat ? this.#delayMs(true) : undefined;
    if (delayMs !== undefined) {
      const askedMs = retryAfterMs(headers["retry-after"], headers.date) ?? 0;
      this.#repeat = () =>
        void this.#startAfter(delayMs, askedMs, true, `was answered with status ${status}`);
      return;
    }
    this.#isPassingOn = true;
    this.#handler.onResponseStart?.(this.#controller, status, headers, statusText);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#repeat) this.#handler.onResponseData?.(this.#controller, chunk);
  }

  onResponseEnd(
    _controller: Dispatcher.DispatchController,
    trailers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#repeat) this.#takeRepeat();
    else this.#handler.onResponseEnd?.(this.#controller, trailers);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // What may have been carried out is said to be so, also when somebody wants to end it.
    const isEnded = this.#isAborted() && !mayBeCarriedOut(this.#call);
    const isFinal = this.#isPassingOn || isEnded || error instanceof VenueError;
    if (this.#repeat && !this.#isAborted()) this.#takeRepeat();
    else if (isFinal) this.#fail(error);
    else this.#judge(error);
  }

  /** A connection broke, or was never made, before any part of an answer was passed on. */
  #judge(error: Error): void {
    const { target, wasSent } = this.#call;
    const { problem, isTransient } = faultOf(error);
    if (mayBeCarriedOut(this.#call)) {
      const reason = `its answer was lost: the service ${problem}`;
      this.#fail(new MaybeCarriedOutError(target, reason, { cause: publicCause(error) }));
      return;
    }
    const delayMs = isTransient ? this.#delayMs(wasSent) : undefined;
    if (delayMs === undefined) this.#fail(error);
    else void this.#startAfter(delayMs, 0, wasSent, `failed: the service ${problem}`);
  }

  #fail(error: Error): void {
    this.#handler.onResponseError?.(this.#controller, error);
  }

  #isAborted(): boolean {
    return this.#call.signal?.aborted === true || this.#controller.aborted;
  }

  #delayMs(isConnected: boolean): number | undefined {
    this.#unreachableSinceMs = isConnected ? undefined : (this.#unreachableSinceMs ?? this.#attemptMs);
    const elapsedMs = monotonicMs() - (this.#unreachableSinceMs ?? this.#startedMs);
    return retryDelayMs({ attempt: this.#attempt, elapsedMs, isConnected }, this.#retry);
  }

  #takeRepeat(): void {
    const repeat = this.#repeat;
    this.#repeat = undefined;
    repeat?.();
  }

  /** @param askedMs what the service asked for, which the budget sees to */
  async #startAfter(delayMs: number, askedMs: number, isConnected: boolean, reason: string): Promise<void> {
    const { clock, logger } = this.#options;
    const log = !isConnected && this.#host.isKnownUnreachable ? logger.debug : logger.warn;
    this.#host.isKnownUnreachable = !isConnected;
    const waitSeconds = (Math.max(delayMs, askedMs) / 1000).toFixed(1);
    log(
      `${describe(this.#call.target)} ${reason}; attempt ${this.#attempt + 1} of ` +
        `${attemptLimit(isConnected, this.#retry)} follows in ${waitSeconds} s`,
    );
    try {
      await clock.sleep(delayMs, this.#call.signal);
    } catch (error) {
      this.#fail(error as Error);
      return;
    }
    this.start();
  }
}

/**
 * Whether another try may bring an answer: 408, where what lies in between did not get all of a request in time, or gave up on
 * an idle connection; and 5xx, also of those that networks of delivery made up (520 to 530).
 */
function hasFailed(status: number): boolean {
  return status === 408 || (status >= 500 && !lastingStatuses.has(status));
}
