import { VenueError } from "../../util/venue-error.ts";
import type { RequestFault } from "../remote/request-fault.ts";

/** Nessie can't be asked, or what answers is not Nessie; after all repetitions. */
export class NessieUnreachableError extends VenueError {
  override readonly name = "NessieUnreachableError";
  readonly code = "NESSIE_UNREACHABLE";
  readonly category = "service";
  /** Scheme, host and port. */
  readonly origin: string;

  constructor(
    origin: string,
    { problem, nextStep, cause }: Pick<RequestFault, "problem" | "nextStep" | "cause">,
  ) {
    super(`Nessie at ${origin} ${problem}. ${nextStep}`, { cause });
    this.origin = origin;
  }
}
