import { faultOf } from "../../util/connection-fault.ts";
import { publicCause } from "../../util/venue-error.ts";
import { ApiError, describe, type RequestTarget, rootName } from "./api-error.ts";

/** The service could not be reached, or the connection broke, after all repetitions. */
export class ConnectionFailedError extends ApiError {
  override readonly name = "ConnectionFailedError";
  readonly code = "CONNECTION_FAILED";
  /** Host and port that were asked. */
  readonly host: string;
  /** No connection could be made: nothing was sent, and other requests to this host would fail in the same way. */
  readonly isUnreachable: boolean;

  constructor(
    target: RequestTarget,
    host: string,
    error: Error,
    { isUnreachable = false }: { isUnreachable?: boolean } = {},
  ) {
    const { problem, nextStep } = faultOf(error);
    super(
      target,
      `${describe(target)} failed: ${host} ${problem}. ${nextStep.replace("ROOT", rootName(target))}`,
      {
        cause: publicCause(error),
      },
    );
    this.host = host;
    this.isUnreachable = isUnreachable;
  }
}
