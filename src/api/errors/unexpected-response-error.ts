import { ApiError, describe, type RequestTarget } from "./api-error.ts";

/** The service answered with something that is not what it documents: another shape, no JSON, a cut body. */
export class UnexpectedResponseError extends ApiError {
  override readonly name = "UnexpectedResponseError";
  readonly code = "UNEXPECTED_RESPONSE";
  /** Where in the answer, e.g. `[3].device_id`; absent when it is the whole of it. */
  readonly recordPath: string | undefined;

  constructor(target: RequestTarget, problem: string, options?: ErrorOptions & { recordPath?: string }) {
    super(
      target,
      `The answer to ${describe(target)} is not what the service documents: ${problem}. Run this again; if it stays, ` +
        "check the base URL, and tell the operator.",
      options,
    );
    this.recordPath = options?.recordPath;
  }
}
