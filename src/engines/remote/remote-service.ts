import { rootCertificates } from "node:tls";
import { type Agent, request } from "undici";
import { createClock, monotonicMs } from "../../util/clock.ts";
import { classifyFault } from "../../util/connection-fault.ts";
import { createHttpAgent } from "../../util/http-agent.ts";
import { isUnencrypted, toHttpUrl } from "../../util/http-values.ts";
import type { Logger } from "../../util/logger.ts";
import { computeRetryDelayMs, type RetryOptions } from "../../util/retry-delays.ts";
import { toPublicCause, VenueError } from "../../util/venue-error.ts";

/** Address and credentials of a cluster service. */
export interface RemoteOptions {
  /** E.g. `https://trino.example:8443`; anything after the port is ignored. */
  url: string;
  /** The `Authorization` header. Sent only over https or to this machine. */
  authorization?: string | undefined;
  /** PEM of a certificate authority that is trusted in addition to Node's defaults. */
  certificateAuthority?: string | undefined;
  logger: Logger;
  /** Retries if the service has responded before. @default retries for a minute, enough for a restart */
  retry?: RetryOptions | undefined;
}

export interface RemoteRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path from the server's root, with the query. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal?: AbortSignal | undefined;
  /**
   * Retries after a failure:
   * - `always`: retry, even if the request may be executed twice
   * - `ifNotExecuted`: retry only if the request certainly was not executed
   * - `never`: send the request once
   */
  repeat: "always" | "ifNotExecuted" | "never";
}

export interface RemoteResponse {
  status: number;
  text: string;
}

type UnreachableError = (origin: string, fault: RequestFault) => VenueError;

const retryDefaults: Required<RetryOptions> = {
  attempts: 60,
  connectionAttempts: 60,
  connectionMs: 60_000,
  firstDelayMs: 400,
  longestDelayMs: 5_000,
  totalMs: 60_000,
  random: Math.random,
};
/** Maximum attempts if a service never responded, because a wrong address is more likely than a starting server. */
const firstContactAttempts = 4;
/** Trino usually responds within a second, but may pause for garbage collection under load. */
const responseTimeoutMs = 120_000;

/** Sends requests to one cluster service. Retries transient failures, and returns any other response. */
export class RemoteService {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly #agent: Agent;
  readonly #authorization: string | undefined;
  readonly #logger: Logger;
  readonly #retry: Required<RetryOptions>;
  readonly #unreachable: UnreachableError;
  readonly #clock = createClock();
  #hasResponded = false;

  /** @throws {VenueError} `REMOTE_ADDRESS` when the address is unusable */
  constructor(options: RemoteOptions, unreachable: UnreachableError) {
    const { url, authorization, certificateAuthority: own, logger, retry } = options;
    this.origin = parseOrigin(url, authorization !== undefined);
    this.#authorization = authorization;
    this.#logger = logger;
    this.#retry = { ...retryDefaults, ...retry };
    this.#unreachable = unreachable;
    this.#agent = createHttpAgent({
      connect: { timeout: 10_000, ...(own === undefined ? {} : { ca: [...rootCertificates, own] }) },
      headersTimeout: responseTimeoutMs,
      bodyTimeout: responseTimeoutMs,
    });
  }

  /** @throws the error for an unreachable service, or the signal's reason */
  async send(remoteRequest: RemoteRequest): Promise<RemoteResponse> {
    const startedMs = monotonicMs();
    for (let attempt = 1; ; attempt += 1) {
      const tried = await this.#try(remoteRequest);
      const fault = "status" in tried ? classifyStatus(tried.status) : classifyError(tried);
      if (!fault && "status" in tried) {
        this.#hasResponded = true;
        return tried;
      }
      const delayMs = this.#delayMs(remoteRequest, fault as RequestFault, attempt, monotonicMs() - startedMs);
      if (delayMs === undefined) throw this.#unreachable(this.origin, fault as RequestFault);
      this.#logger.debug(`${this.origin} ${fault?.problem}; retrying`, { attempt });
      await this.#clock.sleep(delayMs, remoteRequest.signal);
    }
  }

  /** Closes all connections; pending requests fail. */
  close(): void {
    void this.#agent.destroy();
  }

  async #try({ method, path, headers, body, signal }: RemoteRequest): Promise<RemoteResponse | Error> {
    signal?.throwIfAborted();
    try {
      const response = await request(`${this.origin}${path}`, {
        dispatcher: this.#agent,
        method,
        headers: { ...headers, ...(this.#authorization ? { authorization: this.#authorization } : {}) },
        body: body ?? null,
        signal: signal ?? null,
      });
      return { status: response.statusCode, text: await response.body.text() };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      return error as Error;
    }
  }

  #delayMs(
    { repeat }: RemoteRequest,
    { isTransient, isConnected, notExecuted }: RequestFault,
    attempt: number,
    elapsedMs: number,
  ): number | undefined {
    if (!isTransient || repeat === "never" || (repeat === "ifNotExecuted" && !notExecuted)) return undefined;
    const isKnown = this.#hasResponded || isConnected;
    const attempts = isKnown ? this.#retry.attempts : Math.min(firstContactAttempts, this.#retry.attempts);
    return computeRetryDelayMs({ attempt, elapsedMs, isConnected }, { ...this.#retry, attempts });
  }
}

/** Thrown if a cluster service's address is invalid, or if credentials must not be sent to it. */
function remoteAddressError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("REMOTE_ADDRESS", "usage", message, options);
}

/**
 * Returns an address's scheme, host and port.
 * @param hasCredentials true if credentials are sent, which must not cross a network unencrypted
 * @throws {VenueError} `REMOTE_ADDRESS` when the address is invalid or would expose the credentials
 */
function parseOrigin(address: string, hasCredentials: boolean): string {
  const url = toHttpUrl(address);
  if (!url) {
    throw remoteAddressError(
      `${JSON.stringify(address)} is not a server address. Write it as http(s)://HOST:PORT.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw remoteAddressError(
      `The address of ${url.host} contains a user or password. Remove them from the address and set them as settings.`,
    );
  }
  if (hasCredentials && isUnencrypted(url)) {
    throw remoteAddressError(
      `The password or token would be sent to ${url.origin} unencrypted. Use https, or remove the credentials.`,
    );
  }
  return url.origin;
}

/** Reason why a request has no usable response. */
export interface RequestFault {
  /** Completes “Trino at URL …”. */
  problem: string;
  nextStep: string;
  isConnected: boolean;
  /** True if the service certainly executed nothing. */
  notExecuted: boolean;
  isTransient: boolean;
  cause?: unknown;
}

/** Statuses of requests that were rejected before execution. */
const rejectedStatuses = new Set([429, 503]);
const transientStatuses = new Set([...rejectedStatuses, 502, 504]);
const unsentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/** Returns the fault that a status indicates, or `undefined` if the caller must handle the response. */
function classifyStatus(status: number): RequestFault | undefined {
  if (!transientStatuses.has(status)) return undefined;
  return {
    problem: `responds with status ${status}`,
    nextStep: "Check whether it is up, and any proxy in front of it.",
    isConnected: true,
    notExecuted: rejectedStatuses.has(status),
    isTransient: true,
  };
}

function classifyError(error: Error): RequestFault {
  const { problem, nextStep, isTransient } = classifyFault(error);
  const isUnsent = "code" in error && unsentCodes.has(String(error.code));
  return {
    problem,
    nextStep: nextStep.replace("ROOT", "its address"),
    isConnected: !isUnsent,
    notExecuted: isUnsent,
    isTransient,
    cause: toPublicCause(error),
  };
}

/** Matches an integer that JSON.parse may round. Also matches strings, to skip the digits in them. */
const textOrLongInteger = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** Parses JSON. Returns integers of 16 or more digits as text, so that they are not rounded. */
export function parseWholeJson(text: string): unknown {
  return JSON.parse(
    /\d{16}/.test(text)
      ? text.replace(textOrLongInteger, (found) => (found.startsWith('"') ? found : `"${found}"`))
      : text,
  );
}
