import { VenueError } from "../util/venue-error.ts";

/** The warehouse holds no play, though what is published does: it was lost or moved away. Nothing was published. */
export class LostPlaysError extends VenueError {
  override readonly name = "LostPlaysError";
  readonly code = "LOST_PLAYS";
  readonly category = "damage";

  /** @param current the folder of what is published, with its number of plays */
  constructor(current: string, plays: number) {
    super(
      `The warehouse holds no plays, but ${current} shows ${plays}: warehouse.duckdb was moved away or removed. ` +
        "Nothing was published; readers keep what they see. Put the file back, or run `venue sync` (and `venue load` " +
        `for files that came another way) and then \`venue build\`. To publish nothing but empty tables, remove ${current} first.`,
    );
  }
}
