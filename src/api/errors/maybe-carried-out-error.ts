import { ApiError, describe, type RequestTarget } from "./api-error.ts";

/** A request that changes something was sent, and no answer tells whether it was carried out. Not repeated. */
export class MaybeCarriedOutError extends ApiError {
  override readonly name = "MaybeCarriedOutError";
  readonly code = "MAYBE_CARRIED_OUT";
  /** Of the answer, where there was one (5xx). */
  readonly status: number | undefined;
  /** Why it is not known whether it was; no whole sentence. */
  readonly reason: string;

  constructor(target: RequestTarget, reason: string, options?: ErrorOptions & { status?: number }) {
    super(
      target,
      `${describe(target)} was sent, but ${reason}. It may have been carried out, and was not repeated: look first, ` +
        "then decide whether to ask again.",
      options,
    );
    this.status = options?.status;
    this.reason = reason;
  }
}
