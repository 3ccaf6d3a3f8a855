import { VenueError } from "../../util/venue-error.ts";
import type { RequestFault } from "../remote/request-fault.ts";

/** Trino can't be asked, or what answers is not Trino; after all repetitions. */
export class TrinoUnreachableError extends VenueError {
  override readonly name = "TrinoUnreachableError";
  readonly code = "TRINO_UNREACHABLE";
  readonly category = "service";
  /** Scheme, host and port. */
  readonly origin: string;

  constructor(
    origin: string,
    { problem, nextStep, cause }: Pick<RequestFault, "problem" | "nextStep" | "cause">,
  ) {
    super(`Trino at ${origin} ${problem}. ${nextStep}`, { cause });
    this.origin = origin;
  }
}
