import { VenueError } from "../../util/venue-error.ts";

/** An option of a client can't be used; nothing was opened. */
export class ClientOptionError extends VenueError {
  override readonly name = "ClientOptionError";
  readonly code = "CLIENT_OPTION_UNUSABLE";
  readonly category = "usage";
}
