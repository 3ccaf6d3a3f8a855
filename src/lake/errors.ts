import { shellText } from "../util/text/escaping.ts";
import { VenueError } from "../util/venue-error.ts";

/** There is nothing to read yet. */
export function lakeEmptyError(lake: string): VenueError {
  return new VenueError(
    "LAKE_EMPTY",
    "usage",
    `No machine has published into ${lake} yet. Run \`venue publish --layer core --source NAME --to ${shellText(lake)}\` on each, or name the right folder.`,
  );
}

/** What a machine published can't be read as it was written. */
export class LakeDamagedError extends VenueError {
  readonly machine: string;

  /** @param finding what is wrong, with the path */
  constructor(machine: string, finding: string, options?: ErrorOptions) {
    super(
      "LAKE_DAMAGED",
      "damage",
      `What ${machine} published into the lake is damaged: ${finding}. Run \`venue publish --layer core --source ${machine}\` there: it writes what is missing. If the machine is gone: \`venue lake forget ${machine}\`.`,
      options,
    );
    this.machine = machine;
  }
}

/** A manifest of a form that this version does not know. */
export class LakeTooNewError extends VenueError {
  constructor(path: string) {
    super(
      "LAKE_TOO_NEW",
      "usage",
      `${path} was written by a newer version of venue-analytics. Install that version here, too.`,
    );
  }
}

/** A table that no machine publishes: they all have an older version. */
export function lakeTooOldError(lake: string, table: string): VenueError {
  return new VenueError(
    "LAKE_TOO_OLD",
    "usage",
    `No machine in ${lake} has published ${table}: all of them have an older version. Install this one there, and publish again.`,
  );
}

/** Two machines whose ids would be the same. */
export function machineNumberTakenError(machine: string, other: string): VenueError {
  return new VenueError(
    "MACHINE_NUMBER_TAKEN",
    "usage",
    `The names ${machine} and ${other} can't both be in a lake: ids of their loads would be the same. Publish one of them under another name.`,
  );
}
