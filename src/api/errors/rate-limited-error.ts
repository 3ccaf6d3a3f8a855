import { describeAnswer, type RefusedAnswer } from "./answer-text.ts";
import { ApiError, describe, type RequestTarget } from "./api-error.ts";

/** The service still answered 429 after all repetitions. */
export class RateLimitedError extends ApiError {
  override readonly name = "RateLimitedError";
  readonly code = "RATE_LIMITED";
  readonly status: number;
  /** So long a server of downloads asked to wait, in milliseconds; what the service itself asks for is obeyed already. */
  readonly retryAfterMs: number | undefined;

  constructor(target: RequestTarget, answer: RefusedAnswer, options?: ErrorOptions) {
    super(
      target,
      `The service keeps refusing ${describe(target)} as too many requests, ${describeAnswer(answer)}. Check that the ` +
        "configured rate is the agreed one, and whether the same API client is in use on another machine.",
      options,
    );
    this.status = answer.status;
    this.retryAfterMs = answer.retryAfterMs;
  }
}
