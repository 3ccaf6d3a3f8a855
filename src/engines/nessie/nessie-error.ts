import { VenueError } from "../../util/venue-error.ts";

const nextSteps: Readonly<Record<string, string>> = {
  REFERENCE_CONFLICT: "Something else changed it meanwhile; run this again.",
  REFERENCE_ALREADY_EXISTS: "Use it, or delete it first.",
  REFERENCE_NOT_FOUND: "Check the name of the branch.",
  CONTENT_NOT_FOUND: "Check the name of the table, and the version that is read.",
};

/** Nessie refused what it was asked. */
export class NessieError extends VenueError {
  override readonly name = "NessieError";
  readonly code = "NESSIE_REFUSED";
  readonly category = "service";
  /** Nessie's own, e.g. `REFERENCE_CONFLICT`, `REFERENCE_NOT_FOUND`, `CONTENT_NOT_FOUND`. */
  readonly errorCode: string;

  /** @param asked continues “Nessie refused to …” */
  constructor(asked: string, errorCode: string, message: string) {
    const nextStep = nextSteps[errorCode] ?? "Check its log, and whether this user may do that.";
    super(`Nessie refused to ${asked}: ${message.replace(/\.$/, "")} (${errorCode}). ${nextStep}`);
    this.errorCode = errorCode;
  }
}
