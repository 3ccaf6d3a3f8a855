import { VenueError } from "../../util/venue-error.ts";

/** A query that can't be run: not SQL, not a select, or reaching beyond what is published. */
export function queryError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("QUERY", "usage", message, options);
}
