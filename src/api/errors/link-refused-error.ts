import { describeAnswer, type RefusedAnswer } from "./answer-text.ts";
import { ApiError, type RequestTarget } from "./api-error.ts";

/** A download link is not, or no longer, valid: status 4xx. Polling the export job again gives a new one. */
export class LinkRefusedError extends ApiError {
  override readonly name = "LinkRefusedError";
  readonly code = "LINK_REFUSED";
  readonly status: number;

  constructor(target: RequestTarget, answer: RefusedAnswer, options?: ErrorOptions) {
    super(
      target,
      `The download link ${target.path} was refused with ${describeAnswer(answer)}; it has probably expired. Run this ` +
        "again for a new one.",
      options,
    );
    this.status = answer.status;
  }
}
