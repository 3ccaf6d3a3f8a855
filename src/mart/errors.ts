import { VenueError } from "../util/venue-error.ts";
import { sortVersions } from "./published-versions.ts";

export class NothingPublishedError extends VenueError {
  readonly folder: string;

  constructor(folder: string, options?: ErrorOptions) {
    super(
      "NOTHING_PUBLISHED",
      "usage",
      `Nothing is published in ${folder} yet. Run \`venue run\` first, or point VENUE_DATA_DIR to the folder that holds your data (data/demo after \`make demo\`).`,
      options,
    );
    this.folder = folder;
  }
}

/** Published files are unreadable or altered. @param finding the problem, with the path */
export function publishedDamagedError(finding: string, options?: ErrorOptions): VenueError {
  return new VenueError(
    "PUBLISHED_DAMAGED",
    "damage",
    `The published data is damaged: ${finding}. Run \`venue build --full\` to publish it again from the warehouse.`,
    options,
  );
}

/** The published version is too old for this program. @param lacking tables, and columns as `table.column` */
export function publishedOutdatedError(
  version: string,
  lacking: readonly string[],
  options?: ErrorOptions,
): VenueError {
  const named = lacking.slice(0, 3).join(", ");
  const others = lacking.length > 3 ? ` and ${lacking.length - 3} more` : "";
  return new VenueError(
    "PUBLISHED_OUTDATED",
    "usage",
    `The published data (${version}) was built by an older version of venue-analytics: it lacks ${named}${others}. Run \`venue build\` once, and read the version that it publishes.`,
    options,
  );
}

/** @param catalog Trino's catalog for the readers' branch */
export function noVersionError(catalog: string): VenueError {
  return new VenueError(
    "NOTHING_SHOWN",
    "usage",
    `Trino's catalog ${catalog} has no version yet. Run \`venue build --engine trino --from STORE\` first, or check VENUE_NESSIE_URL.`,
  );
}

/** The version was never published, or was removed. */
export class UnknownVersionError extends VenueError {
  /** @param place follows "the versions" in the message */
  constructor(version: string, known: readonly string[], place: string) {
    const names = sortVersions(known);
    const span = names.length > 6 ? `${names[0]} to ${names.at(-1)}` : names.join(", ");
    super(
      "VERSION_UNKNOWN",
      "usage",
      `--as-of is ${JSON.stringify(version)}. It accepts the versions ${place}: ${span || "none yet"}.`,
    );
  }
}
