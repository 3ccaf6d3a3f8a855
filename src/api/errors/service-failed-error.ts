import { describeAnswer, type RefusedAnswer } from "./answer-text.ts";
import { ApiError, describe, type RequestTarget } from "./api-error.ts";

/** The service answered 5xx, after all repetitions. */
export class ServiceFailedError extends ApiError {
  override readonly name = "ServiceFailedError";
  readonly code = "SERVICE_FAILED";
  readonly status: number;
  /** So long a server of downloads asked to wait, in milliseconds; what the service itself asks for is obeyed already. */
  readonly retryAfterMs: number | undefined;

  constructor(target: RequestTarget, answer: RefusedAnswer, options?: ErrorOptions) {
    super(
      target,
      `The service failed at ${describe(target)} with ${describeAnswer(answer)}. Run this again later; if it stays, tell the operator.`,
      options,
    );
    this.status = answer.status;
    this.retryAfterMs = answer.retryAfterMs;
  }
}
