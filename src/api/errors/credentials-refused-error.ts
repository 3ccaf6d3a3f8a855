import { describeAnswer, type RefusedAnswer } from "./answer-text.ts";
import { ApiError, type RequestTarget } from "./api-error.ts";

/** The service gives no access token for these credentials, or accepts none that it gives. */
export class CredentialsRefusedError extends ApiError {
  override readonly name = "CredentialsRefusedError";
  readonly code = "CREDENTIALS_REFUSED";
  readonly status: number;
  readonly clientId: string;

  constructor(target: RequestTarget, clientId: string, answer: RefusedAnswer, options?: ErrorOptions) {
    super(
      target,
      `The service refused the credentials of the API client ${JSON.stringify(clientId)} with ${describeAnswer(answer)}. ` +
        "Check the client id, its secret and the base URL; if they are right, ask the operator.",
      options,
    );
    this.status = answer.status;
    this.clientId = clientId;
  }
}
