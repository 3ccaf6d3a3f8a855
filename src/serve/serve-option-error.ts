import { VenueError } from "../util/venue-error.ts";

/** Pages can't be served as they were asked to be. */
export class ServeOptionError extends VenueError {
  override readonly name = "ServeOptionError";
  readonly code = "SERVE_OPTION";
  readonly category = "usage";
}
