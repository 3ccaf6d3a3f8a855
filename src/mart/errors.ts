import { VenueError } from "../util/venue-error.ts";
import { sortVersions } from "./published-versions.ts";

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

/** What is published lacks what this version of the program reads. */
export class PublishedOutdatedError extends VenueError {
  override readonly name = "PublishedOutdatedError";
  readonly code = "PUBLISHED_OUTDATED";
  readonly category = "usage";

  /** @param lacking tables, and columns as `table.column` */
  constructor(version: string, lacking: readonly string[], options?: ErrorOptions) {
    const named = lacking.slice(0, 3).join(", ");
    const others = lacking.length > 3 ? ` and ${lacking.length - 3} more` : "";
    super(
      `What is published (${version}) was built by an older version of venue-analytics: it lacks ${named}${others}. Run \`venue build\` once, and ask for what it publishes.`,
      options,
    );
  }
}

/** A cluster has nothing to report from yet. */
export class NothingShownError extends VenueError {
  override readonly name = "NothingShownError";
  readonly code = "NOTHING_SHOWN";
  readonly category = "usage";

  /** @param catalog Trino's, of what readers see */
  constructor(catalog: string) {
    super(
      `Trino's catalog ${catalog} shows nothing yet. Run \`venue build --engine trino --lake FOLDER\` first, or check VENUE_NESSIE_URL.`,
    );
  }
}

/** A version that was never published, or is no longer kept. */
export class VersionUnknownError extends VenueError {
  override readonly name = "VersionUnknownError";
  readonly code = "VERSION_UNKNOWN";
  readonly category = "usage";

  /** @param place where the known ones are, after "the versions" */
  constructor(version: string, known: readonly string[], place: string) {
    const names = sortVersions(known);
    const span = names.length > 6 ? `${names[0]} to ${names.at(-1)}` : names.join(", ");
    super(`--as-of is ${JSON.stringify(version)}. It takes the versions ${place}: ${span || "none yet"}.`);
  }
}
