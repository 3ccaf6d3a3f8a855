import { describeAnswer, type RefusedAnswer } from "./answer-text.ts";
import type { ApiError, RequestTarget } from "./api-error.ts";
import { MaybeCarriedOutError } from "./maybe-carried-out-error.ts";
import { RateLimitedError } from "./rate-limited-error.ts";
import { ServiceFailedError } from "./service-failed-error.ts";
import { NotFoundError, ServiceRefusedError } from "./service-refused-error.ts";
import { UnexpectedResponseError } from "./unexpected-response-error.ts";

/** Whether the same request would be refused again; not where it came too slowly (408) or too often (429). */
export function isRefusal(status: number): boolean {
  return status < 500 && status !== 408 && status !== 429;
}

/**
 * The error that a status which is not a success means.
 * @param isRepeatable the request changes nothing; one that does may have done so before it failed
 */
export function errorOfStatus(target: RequestTarget, isRepeatable: boolean, answer: RefusedAnswer): ApiError {
  const { status } = answer;
  if (status === 404) return new NotFoundError(target, answer);
  if (status === 429) return new RateLimitedError(target, answer);
  if (status < 300 || status === 304) {
    return new UnexpectedResponseError(target, `it has ${describeAnswer(answer)}`, {
      mayBeCarriedOut: !isRepeatable,
    });
  }
  if (isRefusal(status)) return new ServiceRefusedError(target, answer);
  return isRepeatable
    ? new ServiceFailedError(target, answer)
    : new MaybeCarriedOutError(target, `the service failed with ${describeAnswer(answer)}`, { status });
}
