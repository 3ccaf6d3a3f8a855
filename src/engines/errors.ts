import { VenueError } from "../util/venue-error.ts";
import type { RequestFault } from "./remote/remote-service.ts";

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

/** Trino does not let this user in. */
export class TrinoLoginError extends VenueError {
  override readonly name = "TrinoLoginError";
  readonly code = "TRINO_LOGIN";
  readonly category = "service";
  readonly user: string;

  /** @param answer what Trino said of it */
  constructor(origin: string, user: string, answer: string) {
    const said = answer.trim().slice(0, 200);
    super(
      `Trino at ${origin} refuses the user ${JSON.stringify(user)}${said && !said.startsWith("<") ? ` (${said})` : ""}. ` +
        "Check the user, and the password or token.",
    );
    this.user = user;
  }
}

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

/** Trino can't be asked, or what answers is not Trino; after all repetitions. */
export class TrinoUnreachableError extends VenueError {
  override readonly name = "TrinoUnreachableError";
  readonly code = "TRINO_UNREACHABLE";
  readonly category = "service";
  /** Scheme, host and port. */
  readonly origin: string;

  constructor(
    origin: string,
    { problem, nextStep, cause }: Pick<RequestFault, "problem" | "nextStep" | "cause">,
  ) {
    super(`Trino at ${origin} ${problem}. ${nextStep}`, { cause });
    this.origin = origin;
  }
}

const nextSteps: Readonly<Record<string, string>> = {
  REFERENCE_CONFLICT: "Something else changed it meanwhile; run this again.",
  REFERENCE_ALREADY_EXISTS: "Use it, or delete it first.",
  REFERENCE_NOT_FOUND: "Check the name of the branch.",
  CONTENT_NOT_FOUND: "Check the name of the table, and the version that is read.",
};

/** Nessie refused what it was asked. */
export class NessieError extends VenueError {
  override readonly name = "NessieError";
  readonly code = "NESSIE_REFUSED";
  readonly category = "service";
  /** Nessie's own, e.g. `REFERENCE_CONFLICT`, `REFERENCE_NOT_FOUND`, `CONTENT_NOT_FOUND`. */
  readonly errorCode: string;

  /** @param asked continues “Nessie refused to …” */
  constructor(asked: string, errorCode: string, message: string) {
    const nextStep = nextSteps[errorCode] ?? "Check its log, and whether this user may do that.";
    super(`Nessie refused to ${asked}: ${message.replace(/\.$/, "")} (${errorCode}). ${nextStep}`);
    this.errorCode = errorCode;
  }
}

/** Nessie can't be asked, or what answers is not Nessie; after all repetitions. */
export class NessieUnreachableError extends VenueError {
  override readonly name = "NessieUnreachableError";
  readonly code = "NESSIE_UNREACHABLE";
  readonly category = "service";
  /** Scheme, host and port. */
  readonly origin: string;

  constructor(
    origin: string,
    { problem, nextStep, cause }: Pick<RequestFault, "problem" | "nextStep" | "cause">,
  ) {
    super(`Nessie at ${origin} ${problem}. ${nextStep}`, { cause });
    this.origin = origin;
  }
}
