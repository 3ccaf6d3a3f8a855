import { VenueError } from "../util/venue-error.ts";

/** A setting is missing or malformed. Names the variable and what is accepted; shows no secret's value. */
export class ConfigError extends VenueError {
  override readonly name = "ConfigError";
  readonly code = "INVALID_CONFIGURATION";
  readonly category = "usage";
  /** E.g. `VENUE_BASE_URL`. */
  readonly variable: string;

  constructor(variable: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.variable = variable;
  }
}
