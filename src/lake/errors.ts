import { shellText } from "../util/text/escaping.ts";
import { VenueError } from "../util/venue-error.ts";

export function lakeEmptyError(lake: string): VenueError {
  return new VenueError(
    "LAKE_EMPTY",
    "usage",
    `No machine has published into ${lake} yet. Run \`venue publish --layer core --source NAME --to ${shellText(lake)}\` on each, or name the right folder.`,
  );
}

/** Files or the manifest of a machine are missing or damaged. */
export class LakeDamagedError extends VenueError {
  readonly machine: string;

  /** @param finding the defect, with its path */
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

export class LakeTooNewError extends VenueError {
  constructor(path: string) {
    super(
      "LAKE_TOO_NEW",
      "usage",
      `${path} was written by a newer version of venue-analytics. Install that version here, too.`,
    );
  }
}

export function lakeTooOldError(lake: string, table: string): VenueError {
  return new VenueError(
    "LAKE_TOO_OLD",
    "usage",
    `No machine in ${lake} has published ${table}: all of them have an older version. Install this one there, and publish again.`,
  );
}

/** Two machines have the same number, so their ids would collide. */
export function machineNumberTakenError(machine: string, other: string): VenueError {
  return new VenueError(
    "MACHINE_NUMBER_TAKEN",
    "usage",
    `The names ${machine} and ${other} can't both be in a lake: ids of their loads would be the same. Publish one of them under another name.`,
  );
}
