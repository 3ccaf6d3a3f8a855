import { classifyFault } from "../util/connection-fault.ts";
import { toPublicCause, VenueError } from "../util/venue-error.ts";

/** A request as shown in errors. If the path contains a secret, only the other part is included. */
export interface RequestTarget {
  method: string;
  /** Relative to the base URL, e.g. `ext/devices/status?group_id=7`. */
  path: string;
  /** The URL that `path` is relative to. @default "base" */
  root?: RequestRoot;
}

export type RequestRoot = "base" | "status" | "link";

const rootNames: Record<RequestRoot, string> = {
  base: "the base URL",
  status: "the status URL (VENUE_STATUS_URL)",
  link: "the link",
};

/** Returns the name of the URL that the user should check. */
function describeRoot({ root = "base" }: Pick<RequestTarget, "root">): string {
  return rootNames[root];
}

/**
 * The service refused a request, failed or could not be reached. The error never contains headers, bodies or
 * secrets.
 */
export abstract class ApiError extends VenueError {
  readonly method: string;
  readonly path: string;

  constructor(code: string, { method, path }: RequestTarget, message: string, options?: ErrorOptions) {
    super(code, "service", message, options);
    this.method = method;
    this.path = path;
  }
}

export function describe({ method, path }: RequestTarget): string {
  return `${method} ${path}`;
}

/** A response with an error status. */
interface ErrorResponse {
  status: number;
  /** Response text, shortened and without secrets; may be empty. */
  text: string;
  /** Pause that the service requests before the next request, in milliseconds. */
  retryAfterMs?: number | undefined;
}

const maxTextLength = 200;

/** Prepares response text for an error: one short line without markup or control characters. */
export function shortenResponseText(body: string): string {
  const line = body
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length > maxTextLength ? `${line.slice(0, maxTextLength)}…` : line;
}

/** Formats a response, e.g. `status 403 (“not in your scopes”)`. */
function describeResponse({ status, text }: ErrorResponse): string {
  return text === "" ? `status ${status}` : `status ${status} (“${text}”)`;
}

/** Returns the error for an unusable client option. It is thrown before anything is opened. */
export function clientOptionError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("CLIENT_OPTION_UNUSABLE", "usage", message, options);
}

/** The service could not be reached, or the connection broke, after all retries. */
export class ConnectionFailedError extends ApiError {
  /** Requested host and port. */
  readonly host: string;
  /** True if no connection could be made. Nothing was sent, and other requests to this host would fail too. */
  readonly isUnreachable: boolean;

  constructor(
    target: RequestTarget,
    host: string,
    error: Error,
    { isUnreachable = false }: { isUnreachable?: boolean } = {},
  ) {
    const { problem, nextStep } = classifyFault(error);
    super(
      "CONNECTION_FAILED",
      target,
      `${describe(target)} failed: ${host} ${problem}. ${nextStep.replace("ROOT", describeRoot(target))}`,
      {
        cause: toPublicCause(error),
      },
    );
    this.host = host;
    this.isUnreachable = isUnreachable;
  }
}

/** A request that failed with an error status. */
abstract class StatusError extends ApiError {
  readonly status: number;
  /** Response text, shortened and without secrets; may be empty. */
  readonly responseText: string;
  /**
   * Pause requested by a download server, in milliseconds. Not set for the service, whose pauses the budget
   * enforces.
   */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: string,
    target: RequestTarget,
    { status, text, retryAfterMs }: ErrorResponse,
    message: string,
    options?: ErrorOptions,
  ) {
    super(code, target, message, options);
    this.status = status;
    this.responseText = text;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The service issues no access token for these credentials, or refuses every token issued. */
export class CredentialsRefusedError extends StatusError {
  readonly clientId: string;

  constructor(target: RequestTarget, clientId: string, response: ErrorResponse, options?: ErrorOptions) {
    const message =
      `The service refused the credentials of the API client ${JSON.stringify(clientId)} with ${describeResponse(response)}. ` +
      "Check the client id, its secret and the base URL; if they are correct, contact the operator.";
    super("CREDENTIALS_REFUSED", target, response, message, options);
    this.clientId = clientId;
  }
}

/** The token request was refused for a reason other than the credentials. The main request was not sent. */
export class TokenRequestRefusedError extends StatusError {
  constructor(target: RequestTarget, response: ErrorResponse, options?: ErrorOptions) {
    const message =
      `The service issued no access token: it refused ${describe(target)} with ${describeResponse(response)}. ` +
      "Check the base URL (http or https, host, version); if it is correct, run this again later.";
    super("TOKEN_NOT_GIVEN", target, response, message, options);
  }
}

/** The service still responded with 429 after all retries. */
export class RateLimitedError extends StatusError {
  constructor(target: RequestTarget, response: ErrorResponse, options?: ErrorOptions) {
    const message =
      `The service keeps refusing ${describe(target)} with ${describeResponse(response)}: too many requests. Check that the ` +
      "configured rate is the agreed one, and whether the same API client is in use on another machine.";
    super("RATE_LIMITED", target, response, message, options);
  }
}

/** The service still responded with 5xx after all retries. */
export class ServiceFailedError extends StatusError {
  constructor(target: RequestTarget, response: ErrorResponse, options?: ErrorOptions) {
    const message = `The service failed at ${describe(target)} with ${describeResponse(response)}. Run this again later; if the problem persists, contact the operator.`;
    super("SERVICE_FAILED", target, response, message, options);
  }
}

/** The service refused the request: status 3xx or 4xx. */
export class ServiceRefusedError extends StatusError {
  /** @param options `code` is set by subclasses */
  constructor(target: RequestTarget, response: ErrorResponse, options?: ErrorOptions & { code?: string }) {
    const message = `The service refused ${describe(target)} with ${describeResponse(response)}. ${chooseNextStep(response.status, target)}`;
    super(options?.code ?? "SERVICE_REFUSED", target, response, message, options);
  }
}

function chooseNextStep(status: number, target: RequestTarget): string {
  const root = describeRoot(target);
  if (status < 400) return `The address has moved: check ${root} (http or https, host, version).`;
  if (target.root === "status" && (status === 401 || status === 403))
    return `The status API takes no credentials: check ${root}, or contact the operator.`;
  switch (status) {
    case 401:
      return "It rejected the access token, even a new one: ask the operator whether this API client still has access.";
    case 403:
      return "Credentials grant only approved scopes: ask the operator whether this API client has this permission.";
    case 404:
      return `Check the ids, and ${root}.`;
    default:
      return "Check the inputs.";
  }
}

/** The requested group, zone, job or similar does not exist (status 404). */
export class NotFoundError extends ServiceRefusedError {
  constructor(target: RequestTarget, response: ErrorResponse, options?: ErrorOptions) {
    super(target, response, { ...options, code: "NOT_FOUND" });
  }
}

interface UnexpectedResponseOptions extends ErrorOptions {
  recordPath?: string;
  /** @default false */
  outcomeUnknown?: boolean;
}

/**
 * A response differs from the service's documentation: its shape is different, it isn't JSON, or it is
 * truncated.
 */
export class UnexpectedResponseError extends ApiError {
  /** Path in the response, e.g. `[3].device_id`; absent if the whole response is wrong. */
  readonly recordPath: string | undefined;

  /** True if the request changes something and may have been executed. */
  readonly outcomeUnknown: boolean;

  constructor(target: RequestTarget, problem: string, options: UnexpectedResponseOptions = {}) {
    const { recordPath, outcomeUnknown = false } = options;
    const nextStep = outcomeUnknown
      ? "It may have been carried out, and was not retried. Check the result before you retry"
      : `Run this again; if the problem persists, check ${describeRoot(target)}, and contact the operator`;
    super(
      "UNEXPECTED_RESPONSE",
      target,
      `The response to ${describe(target)} differs from the service's documentation: ${problem}. ${nextStep}.`,
      options,
    );
    this.recordPath = recordPath;
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** A server sent a different part of a file than the requested one, or did not identify the part. */
export class RangeMismatchError extends UnexpectedResponseError {}

/**
 * A long response was cut off after some records had been passed to the caller, so the client can't retry it
 * transparently. The caller can safely read it again from the start, because the request changes nothing.
 */
export class TruncatedListError extends ApiError {
  /** Number of complete records passed to the caller before the response was cut off. */
  readonly records: number;

  constructor(target: RequestTarget, records: number, options?: ErrorOptions) {
    super(
      "ANSWER_CUT",
      target,
      `The response to ${describe(target)} was cut off after ${records} records. Read it again from the start.`,
      options,
    );
    this.records = records;
  }
}

/** A request that changes something was sent, but its outcome is unknown. It is not retried. */
export class OutcomeUnknownError extends ApiError {
  /** Status of the response, if there was one (5xx). */
  readonly status: number | undefined;
  /** Reason why the outcome is unknown; a clause, not a sentence. */
  readonly reason: string;

  constructor(target: RequestTarget, reason: string, options?: ErrorOptions & { status?: number }) {
    super(
      "MAYBE_CARRIED_OUT",
      target,
      `${describe(target)} was sent, but ${reason}. It may have been carried out, and was not retried. ` +
        "Check the result before you retry.",
      options,
    );
    this.status = options?.status;
    this.reason = reason;
  }
}

/**
 * The response to the client secret request has an unexpected shape. The secret can't be fetched again, so the
 * response is kept here for inspection. Treat it as a secret.
 */
export class SecretNotFoundError extends ApiError {
  // Private, so that it does not appear in logs or dumps.
  readonly #response: unknown;

  constructor(target: RequestTarget, response: unknown) {
    super(
      "SECRET_NOT_FOUND",
      target,
      `The response to ${describe(target)} contains no secret where one is expected.`,
    );
    this.#response = response;
  }

  /** Returns the whole response as text. */
  revealResponse(): string {
    return typeof this.#response === "string" ? this.#response : JSON.stringify(this.#response, undefined, 2);
  }
}

/** A download link is invalid or expired: status 4xx. Polling the export job returns a new one. */
export class LinkRefusedError extends StatusError {
  constructor(target: RequestTarget, response: ErrorResponse, options?: ErrorOptions) {
    const message =
      `The download link ${target.path} was refused with ${describeResponse(response)}; it has probably expired. Run this ` +
      "again for a new one.";
    super("LINK_REFUSED", target, response, message, options);
  }
}

/** Returns the error for a file that can't be uploaded; nothing was sent. */
export function uploadFileError(path: string, problem: string, options?: ErrorOptions): VenueError {
  return new VenueError(
    "UPLOAD_FILE_UNUSABLE",
    "usage",
    `${path} can't be uploaded: ${problem}. Specify an existing, readable file that is not empty.`,
    options,
  );
}

/** Returns true if the same request would be refused again. Returns false for 408 (too slow) and 429 (too many). */
export function isRefusal(status: number): boolean {
  return status < 500 && status !== 408 && status !== 429;
}

/**
 * Returns the error for a status that is not a success.
 * @param isRepeatable false if the request changes something, because the change may precede the failure
 */
export function createStatusError(
  target: RequestTarget,
  isRepeatable: boolean,
  response: ErrorResponse,
): ApiError {
  const { status } = response;
  if (status === 404) return new NotFoundError(target, response);
  if (status === 429) return new RateLimitedError(target, response);
  if (status < 300 || status === 304) {
    return new UnexpectedResponseError(target, `it has ${describeResponse(response)}`, {
      outcomeUnknown: !isRepeatable,
    });
  }
  if (isRefusal(status)) return new ServiceRefusedError(target, response);
  return isRepeatable
    ? new ServiceFailedError(target, response)
    : new OutcomeUnknownError(target, `the service failed with ${describeResponse(response)}`, { status });
}
