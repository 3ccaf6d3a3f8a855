import { VenueError } from "../../util/venue-error.ts";

/** A file can't be written where it should go; found before anything is asked for. */
export class OutputUnusableError extends VenueError {
  override readonly name = "OutputUnusableError";
  readonly code = "OUTPUT_UNUSABLE";
  readonly category = "usage";

  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(
      `${path} can't be written: ${problem}. Name a place in a folder that exists and is writable.`,
      options,
    );
  }
}
