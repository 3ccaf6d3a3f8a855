import { describeAnswer, type RefusedAnswer } from "./answer-text.ts";
import { ApiError, describe, type RequestTarget, rootName } from "./api-error.ts";

/** The service understood the request and refused it: status 3xx or 4xx. */
export class ServiceRefusedError extends ApiError {
  override readonly name: string = "ServiceRefusedError";
  readonly code: string = "SERVICE_REFUSED";
  readonly status: number;
  /** The service's own words, shortened and without secrets; may be empty. */
  readonly answerText: string;

  constructor(target: RequestTarget, answer: RefusedAnswer, options?: ErrorOptions) {
    super(
      target,
      `The service refused ${describe(target)} with ${describeAnswer(answer)}. ${nextStep(answer.status, target)}`,
      options,
    );
    this.status = answer.status;
    this.answerText = answer.text;
  }
}

function nextStep(status: number, target: RequestTarget): string {
  const root = rootName(target);
  if (status < 400) return `It moved: check ${root} (http or https, host, version).`;
  if (target.root === "status" && (status === 401 || status === 403))
    return `The status API is asked without credentials: check ${root}, or ask the operator.`;
  switch (status) {
    case 401:
      return "It does not take our access token, not even a new one: ask the operator whether this API client is still allowed.";
    case 403:
      return "Credentials grant only the scopes that were approved: ask the operator whether this API client may do this.";
    case 404:
      return `Check the ids, and ${root}.`;
    default:
      return "Check the inputs.";
  }
}

/** The service knows no such group, zone, job …: status 404. */
export class NotFoundError extends ServiceRefusedError {
  override readonly name = "NotFoundError";
  override readonly code = "NOT_FOUND";
}
