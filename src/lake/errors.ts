import { quoteForShell } from "../util/text/escaping.ts";
import { VenueError } from "../util/venue-error.ts";

export function lakeEmptyError(lake: string): VenueError {
  return new VenueError(
    "LAKE_EMPTY",
    "usage",
    `No machine has published into ${lake} yet. Run \`venue publish --layer core --source NAME --to ${quoteForShell(lake)}\` on each machine, or specify the right folder.`,
  );
}

/** A machine's manifest or files are missing or damaged. */
export class LakeDamagedError extends VenueError {
  readonly machine: string;

  /** @param finding description of the damage, including the path */
  constructor(machine: string, finding: string, options?: ErrorOptions) {
    super(
      "LAKE_DAMAGED",
      "damage",
      `The data of ${machine} in the lake is damaged: ${finding}. Run \`venue publish --layer core --source ${machine}\` on that machine to rewrite the missing files. If the machine no longer exists, run \`venue lake forget ${machine}\`.`,
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
      `${path} was written by a newer version of venue-analytics. Install that version on this machine too.`,
    );
  }
}

/** Two machines have the same number, so their ids would collide. */
export function machineNumberTakenError(machine: string, other: string): VenueError {
  return new VenueError(
    "MACHINE_NUMBER_TAKEN",
    "usage",
    `The names ${machine} and ${other} can't be used in the same lake, because their load ids would collide. Publish one of them under another name.`,
  );
}
