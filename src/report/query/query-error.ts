import { VenueError } from "../../util/venue-error.ts";

export function queryError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("QUERY", "usage", message, options);
}
