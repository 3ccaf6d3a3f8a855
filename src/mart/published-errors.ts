import { VenueError } from "../util/venue-error.ts";

/** There is nothing to report from yet. */
export class NothingPublishedError extends VenueError {
  override readonly name = "NothingPublishedError";
  readonly code = "NOTHING_PUBLISHED";
  readonly category = "usage";
  readonly folder: string;

  constructor(folder: string, options?: ErrorOptions) {
    super(
      `Nothing is published in ${folder} yet. Run \`venue run\` first, or point VENUE_DATA_DIR to the folder that holds your data (data/demo after \`make demo\`).`,
      options,
    );
    this.folder = folder;
  }
}

/** What is published can't be read as it was written. */
export class PublishedDamagedError extends VenueError {
  override readonly name = "PublishedDamagedError";
  readonly code = "PUBLISHED_DAMAGED";
  readonly category = "damage";

  /** @param finding what is wrong, with the path */
  constructor(finding: string, options?: ErrorOptions) {
    super(
      `What is published is damaged: ${finding}. Run \`venue build --full\`: it publishes anew from the warehouse.`,
      options,
    );
  }
}
