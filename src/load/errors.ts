import { getErrorMessage, VenueError } from "../util/venue-error.ts";

/** A landing is missing, unreadable, broken, or changed while it was read. None of it was loaded. */
export class LandingUnreadableError extends VenueError {
  readonly path: string;

  /**
   * @param cause error whose message is quoted as the reason
   * @param advice next step, as a sentence
   */
  constructor(
    path: string,
    {
      cause,
      advice = "Repair or download it again, then load it again.",
    }: { cause: unknown; advice?: string },
  ) {
    const reason = getErrorMessage(cause);
    super(
      "LANDING_UNREADABLE",
      "usage",
      `${path} can't be read: ${reason}. None of it was loaded. ${advice}`,
      { cause },
    );
    this.path = path;
  }
}

/** Returns true for the errors that DuckDB throws for objects that span lines and for lines longer than its buffer. */
export function isReaderFailure(error: unknown): boolean {
  return error instanceof Error && /Malformed JSON|maximum_object_size/i.test(error.message);
}
