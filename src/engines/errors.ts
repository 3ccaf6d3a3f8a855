import { VenueError } from "../util/venue-error.ts";
import type { RequestFault } from "./remote/remote-service.ts";

/** Returns true for DuckDB's errors about a statement or its values, but not about memory, disk or the program. */
export function isSqlError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    /^[A-Z][\w ]* Error: /.test(error.message) &&
    !/^(INTERNAL|INTERRUPT|FATAL|IO|Out of Memory) /i.test(error.message)
  );
}

/** Errors of the cluster rather than the statement. No result was kept, so the statement may run again. */
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

export class TrinoError extends VenueError {
  readonly queryId: string;
  /** The statement's page on the coordinator. */
  readonly link: string;
  /** Trino's error name, e.g. `TABLE_NOT_FOUND`. */
  readonly errorName: string;
  /** True if the cluster failed, e.g. lost a worker, so the statement may succeed on a retry. */
  readonly isRetriable: boolean;

  constructor(
    { queryId, link }: { queryId: string; link: string },
    { message, errorName, errorType }: { message: string; errorName: string; errorType: string },
  ) {
    const isRetriable = clusterFaults.has(errorName);
    super(
      "TRINO_STATEMENT_FAILED",
      // This type means that the statement or the user's permissions caused the error.
      errorType === "USER_ERROR" ? "usage" : "service",
      `Trino query ${queryId} failed with ${errorName}: ${message.replace(/\.$/, "")}. ` +
        `${describeNextStep(isRetriable, errorType)}: ${link}`,
    );
    this.queryId = queryId;
    this.link = link;
    this.errorName = errorName;
    this.isRetriable = isRetriable;
  }
}

function describeNextStep(isRetriable: boolean, errorType: string): string {
  if (isRetriable) return "Check the cluster, and run this again";
  // This type means that the file system or the catalog caused the error.
  return errorType === "EXTERNAL" ? "Check the store and Nessie, and run this again" : "Details";
}

/** @param response Trino's explanation */
export function trinoLoginError(origin: string, user: string, response: string): VenueError {
  const explanation = response.trim().slice(0, 200);
  return new VenueError(
    "TRINO_LOGIN",
    "service",
    `Trino at ${origin} refused the user ${JSON.stringify(user)}${explanation && !explanation.startsWith("<") ? ` (${explanation})` : ""}. ` +
      "Check the user and the password or token.",
  );
}

/** Trino lost a running statement when its coordinator restarted. The statement's effect is unknown. */
export class TrinoQueryLostError extends VenueError {
  readonly queryId: string;
  /** The statement's page on the coordinator, which may no longer exist. */
  readonly link: string;

  constructor({ queryId, link }: { queryId: string; link: string }) {
    super(
      "TRINO_QUERY_LOST",
      "service",
      `Trino has lost query ${queryId}: its coordinator was probably restarted. ` +
        `Run this again once it is up: ${link}`,
    );
    this.queryId = queryId;
    this.link = link;
  }
}

/** Trino is unreachable, or the server is not Trino; thrown after all retries. */
export function trinoUnreachableError(
  origin: string,
  { problem, nextStep, cause }: Pick<RequestFault, "problem" | "nextStep" | "cause">,
): VenueError {
  return new VenueError("TRINO_UNREACHABLE", "service", `Trino at ${origin} ${problem}. ${nextStep}`, {
    cause,
  });
}

const nextSteps: Readonly<Record<string, string>> = {
  REFERENCE_CONFLICT: "It was changed by another process meanwhile. Run this again.",
  REFERENCE_ALREADY_EXISTS: "Use the existing one, or delete it first.",
  REFERENCE_NOT_FOUND: "Check the branch name.",
  CONTENT_NOT_FOUND: "Check the table name and the version being read.",
};

export class NessieError extends VenueError {
  /** Nessie's error code, e.g. `REFERENCE_CONFLICT`, `REFERENCE_NOT_FOUND`, `CONTENT_NOT_FOUND`. */
  readonly errorCode: string;

  /** @param action completes “Nessie refused to …” */
  constructor(action: string, errorCode: string, message: string) {
    const nextStep = nextSteps[errorCode] ?? "Check Nessie's log and this user's permissions.";
    super(
      "NESSIE_REFUSED",
      "service",
      `Nessie refused to ${action}: ${message.replace(/\.$/, "")} (${errorCode}). ${nextStep}`,
    );
    this.errorCode = errorCode;
  }
}

/** Nessie is unreachable, or the server is not Nessie; thrown after all retries. */
export function nessieUnreachableError(
  origin: string,
  { problem, nextStep, cause }: Pick<RequestFault, "problem" | "nextStep" | "cause">,
): VenueError {
  return new VenueError("NESSIE_UNREACHABLE", "service", `Nessie at ${origin} ${problem}. ${nextStep}`, {
    cause,
  });
}
