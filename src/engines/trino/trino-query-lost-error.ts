import { VenueError } from "../../util/venue-error.ts";

/** Trino forgot a statement that it was running: its coordinator was started anew. What the statement did is not known. */
export class TrinoQueryLostError extends VenueError {
  override readonly name = "TrinoQueryLostError";
  readonly code = "TRINO_QUERY_LOST";
  readonly category = "service";
  readonly queryId: string;
  /** The statement's page on the coordinator, which may no longer know it. */
  readonly link: string;

  constructor({ queryId, link }: { queryId: string; link: string }) {
    super(
      `Trino no longer knows query ${queryId}: its coordinator was probably restarted. ` +
        `Run this again once it is up: ${link}`,
    );
    this.queryId = queryId;
    this.link = link;
  }
}
