import { VenueError } from "../../util/venue-error.ts";

/** What went wrong with the cluster, and not with the statement: nothing of it was kept, and it may run again. */
const clusterFaults: ReadonlySet<string> = new Set([
  "ABANDONED_TASK",
  "NO_NODES_AVAILABLE",
  "PAGE_TRANSPORT_ERROR",
  "PAGE_TRANSPORT_TIMEOUT",
  "REMOTE_BUFFER_CLOSE_FAILED",
  "REMOTE_HOST_GONE",
  "REMOTE_TASK_ERROR",
  "REMOTE_TASK_FAILED",
  "REMOTE_TASK_MISMATCH",
  "SERVER_SHUTTING_DOWN",
  "SERVER_STARTING_UP",
  "TOO_MANY_REQUESTS_FAILED",
]);

/** A statement failed on Trino. */
export class TrinoError extends VenueError {
  override readonly name = "TrinoError";
  readonly code = "TRINO_STATEMENT_FAILED";
  /** `usage` where Trino puts it down to the statement, or to what its user may do. */
  readonly category: "usage" | "service";
  readonly queryId: string;
  /** The statement's page on the coordinator. */
  readonly link: string;
  /** Trino's name for it, e.g. `TABLE_NOT_FOUND`. */
  readonly errorName: string;
  /** Whether the cluster failed, a worker was lost for example, so that the statement may succeed when it is run again. */
  readonly isRetriable: boolean;

  constructor(
    { queryId, link }: { queryId: string; link: string },
    { message, errorName, errorType }: { message: string; errorName: string; errorType: string },
  ) {
    const isRetriable = clusterFaults.has(errorName);
    super(
      `Trino query ${queryId} failed with ${errorName}: ${message.replace(/\.$/, "")}. ` +
        `${isRetriable ? "Check the cluster, and run this again" : "Its page"}: ${link}`,
    );
    this.category = errorType === "USER_ERROR" ? "usage" : "service";
    this.queryId = queryId;
    this.link = link;
    this.errorName = errorName;
    this.isRetriable = isRetriable;
  }
}
