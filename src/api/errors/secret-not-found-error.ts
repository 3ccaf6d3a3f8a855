import { ApiError, describe, type RequestTarget } from "./api-error.ts";

/**
 * The service answered the request for the client secret with something in which no secret was found. It can be
 * fetched once, so the answer is here for whoever wants to look: keep it as one keeps a secret.
 */
export class SecretNotFoundError extends ApiError {
  override readonly name = "SecretNotFoundError";
  readonly code = "SECRET_NOT_FOUND";
  // Private: shown by no log and no dump.
  readonly #answer: unknown;

  constructor(target: RequestTarget, answer: unknown) {
    super(target, `The answer to ${describe(target)} holds no secret where one was looked for.`);
    this.#answer = answer;
  }

  /** The whole answer, as text. */
  revealAnswer(): string {
    return typeof this.#answer === "string" ? this.#answer : JSON.stringify(this.#answer, undefined, 2);
  }
}
