import { ApiError, describe, type RequestTarget } from "./api-error.ts";

/**
 * A long answer was cut off after records of it had been handed on, so that it can't be asked for again behind the
 * reader's back. Safe to read again from its start: the request changes nothing.
 */
export class AnswerCutError extends ApiError {
  override readonly name = "AnswerCutError";
  readonly code = "ANSWER_CUT";
  /** Whole records that were handed on before. */
  readonly records: number;

  constructor(target: RequestTarget, records: number, options?: ErrorOptions) {
    super(
      target,
      `The answer to ${describe(target)} was cut off after ${records} records. Read it again from its start.`,
      options,
    );
    this.records = records;
  }
}
