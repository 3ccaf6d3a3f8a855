import { VenueError } from "../util/venue-error.ts";

/** The emulator can't start, or go on, with what it was given. */
export class EmulatorOptionError extends VenueError {
  override readonly name = "EmulatorOptionError";
  readonly code = "EMULATOR_OPTION";
  readonly category = "usage";
}
