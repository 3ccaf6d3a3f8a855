import { VenueError } from "../../util/venue-error.ts";

/** A query that can't be run: not SQL, not a select, or reaching beyond what is published. */
export class QueryError extends VenueError {
  override readonly name = "QueryError";
  readonly code = "QUERY";
  readonly category = "usage";
}
