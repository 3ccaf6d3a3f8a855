import { VenueError } from "../../util/venue-error.ts";

/** A service of a cluster has an address that can't be used, or credentials that may not be sent there. */
export class RemoteAddressError extends VenueError {
  override readonly name = "RemoteAddressError";
  readonly code = "REMOTE_ADDRESS";
  readonly category = "usage";
}
