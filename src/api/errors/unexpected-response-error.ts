import { ApiError, describe, type RequestTarget, rootName } from "./api-error.ts";

export interface UnexpectedResponseOptions extends ErrorOptions {
  recordPath?: string;
  /** @default false */
  mayBeCarriedOut?: boolean;
}

/** The service answered with something that is not what it documents: another shape, no JSON, a cut body. */
export class UnexpectedResponseError extends ApiError {
  override readonly name = "UnexpectedResponseError";
  readonly code = "UNEXPECTED_RESPONSE";
  /** Where in the answer, e.g. `[3].device_id`; absent when it is the whole of it. */
  readonly recordPath: string | undefined;

  /** The request changes something, and may have been carried out. */
  readonly mayBeCarriedOut: boolean;

  constructor(target: RequestTarget, problem: string, options: UnexpectedResponseOptions = {}) {
    const { recordPath, mayBeCarriedOut = false } = options;
    const nextStep = mayBeCarriedOut
      ? "It may have been carried out, and was not repeated: look first, then decide whether to ask again"
      : `Run this again; if it stays, check ${rootName(target)}, and tell the operator`;
    super(
      target,
      `The answer to ${describe(target)} is not what the service documents: ${problem}. ${nextStep}.`,
      options,
    );
    this.recordPath = recordPath;
    this.mayBeCarriedOut = mayBeCarriedOut;
  }
}

/** A server sent another part of a file than the one that was asked for, or does not say which. */
export class WrongPartError extends UnexpectedResponseError {}
