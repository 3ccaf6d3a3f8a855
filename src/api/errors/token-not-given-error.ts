import { describeAnswer, type RefusedAnswer } from "./answer-text.ts";
import { ApiError, describe, type RequestTarget } from "./api-error.ts";

/**
 * The service refused to give an access token with a status that says nothing of the credentials. Nor does it say anything
 * of the request that the token was for: that was not sent.
 */
export class TokenNotGivenError extends ApiError {
  override readonly name = "TokenNotGivenError";
  readonly code = "TOKEN_NOT_GIVEN";
  readonly status: number;

  constructor(target: RequestTarget, answer: RefusedAnswer, options?: ErrorOptions) {
    super(
      target,
      `The service gave no access token: it refused ${describe(target)} with ${describeAnswer(answer)}. ` +
        "Check the base URL (http or https, host, version); if it is right, run this again later.",
      options,
    );
    this.status = answer.status;
  }
}
