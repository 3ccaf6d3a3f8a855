import { VenueError } from "../util/venue-error.ts";

/** A landing is missing, can't be opened, or is a broken .gz file. Nothing of it was loaded. */
export class LandingUnreadableError extends VenueError {
  override readonly name = "LandingUnreadableError";
  readonly code = "LANDING_UNREADABLE";
  readonly category = "usage";
  readonly path: string;

  constructor(path: string, options: ErrorOptions) {
    const reason = options.cause instanceof Error ? options.cause.message : String(options.cause);
    super(
      `${path} can't be read: ${reason}. Nothing of it was loaded. Mend it or fetch it anew, and load it again.`,
      options,
    );
    this.path = path;
  }
}
