import { rootCertificates } from "node:tls";
import { type Agent, request } from "undici";
import { createClock, monotonicMs } from "../../util/clock.ts";
import { faultOf } from "../../util/connection-fault.ts";
import { createHttpAgent } from "../../util/http-agent.ts";
import { isUnencrypted, toHttpUrl } from "../../util/http-values.ts";
import type { Logger } from "../../util/logger.ts";
import { type RetryOptions, retryDelayMs } from "../../util/retry-delays.ts";
import { publicCause, VenueError } from "../../util/venue-error.ts";

/** Where a service of a cluster is, and who asks it. */
export interface RemoteOptions {
  /** E.g. `https://trino.example:8443`; what follows the port is of no meaning. */
  url: string;
  /** The `Authorization` header. Goes over https, or to this machine, only. */
  authorization?: string | undefined;
  /** PEM of an authority whose certificates are trusted beside those of the authorities that Node.js knows. */
  certificateAuthority?: string | undefined;
  logger: Logger;
  /** Of a service that has answered before. @default for one minute, in which a server can be started anew */
  retry?: RetryOptions | undefined;
}

export interface RemoteRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** From the root of the server, with the query. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal?: AbortSignal | undefined;
  /**
   * - `always`: it may be carried out twice
   * - `undone`: only while it surely was not carried out
   * - `never`: it is sent once
   */
  repeat: "always" | "undone" | "never";
}

export interface RemoteAnswer {
  status: number;
  text: string;
}

/** Makes the error for a service that can't be reached. */
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
/** A service that never answered is more likely somewhere else than about to start. */
const attemptsOfUnknown = 4;
/** Trino answers within a second; a busy one pauses to collect garbage. */
const silenceMs = 120_000;

/** The requests to one service of a cluster: what fails in passing is asked again, any other answer is handed over. */
export class RemoteService {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly #agent: Agent;
  readonly #authorization: string | undefined;
  readonly #logger: Logger;
  readonly #retry: Required<RetryOptions>;
  readonly #unreachable: UnreachableError;
  readonly #clock = createClock();
  #hasAnswered = false;

  /** @throws {VenueError} `REMOTE_ADDRESS` when the address can't be used */
  constructor(options: RemoteOptions, unreachable: UnreachableError) {
    const { url, authorization, certificateAuthority: own, logger, retry } = options;
    this.origin = remoteOrigin(url, authorization !== undefined);
    this.#authorization = authorization;
    this.#logger = logger;
    this.#retry = { ...retryDefaults, ...retry };
    this.#unreachable = unreachable;
    this.#agent = createHttpAgent({
      connect: { timeout: 10_000, ...(own === undefined ? {} : { ca: [...rootCertificates, own] }) },
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    });
  }

  /** @throws the error of an unreachable service, or the signal's reason */
  async ask(asked: RemoteRequest): Promise<RemoteAnswer> {
    const startedMs = monotonicMs();
    for (let attempt = 1; ; attempt += 1) {
      const tried = await this.#try(asked);
      const fault = "status" in tried ? findFaultOfStatus(tried.status) : faultOfError(tried);
      if (!fault && "status" in tried) {
        this.#hasAnswered = true;
        return tried;
      }
      const delayMs = this.#delayMs(asked, fault as RequestFault, attempt, monotonicMs() - startedMs);
      if (delayMs === undefined) throw this.#unreachable(this.origin, fault as RequestFault);
      this.#logger.debug(`${this.origin} ${fault?.problem}; asking again`, { attempt });
      await this.#clock.sleep(delayMs, asked.signal);
    }
  }

  /** Ends all connections; requests under way fail. */
  close(): void {
    void this.#agent.destroy();
  }

  async #try({ method, path, headers, body, signal }: RemoteRequest): Promise<RemoteAnswer | Error> {
    signal?.throwIfAborted();
    try {
      const answer = await request(`${this.origin}${path}`, {
        dispatcher: this.#agent,
        method,
        headers: { ...headers, ...(this.#authorization ? { authorization: this.#authorization } : {}) },
        body: body ?? null,
        signal: signal ?? null,
      });
      return { status: answer.statusCode, text: await answer.body.text() };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      return error as Error;
    }
  }

  #delayMs(
    { repeat }: RemoteRequest,
    { isTransient, isConnected, wasUndone }: RequestFault,
    attempt: number,
    elapsedMs: number,
  ): number | undefined {
    if (!isTransient || repeat === "never" || (repeat === "undone" && !wasUndone)) return undefined;
    const isKnown = this.#hasAnswered || isConnected;
    const attempts = isKnown ? this.#retry.attempts : Math.min(attemptsOfUnknown, this.#retry.attempts);
    return retryDelayMs({ attempt, elapsedMs, isConnected }, { ...this.#retry, attempts });
  }
}

/** A service of a cluster has an address that can't be used, or credentials that may not be sent there. */
function remoteAddressError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("REMOTE_ADDRESS", "usage", message, options);
}

/**
 * Scheme, host and port of an address.
 * @param hasCredentials they may not go over a network in the clear
 * @throws {VenueError} `REMOTE_ADDRESS` when the address is none, or would show the credentials
 */
function remoteOrigin(address: string, hasCredentials: boolean): string {
  const url = toHttpUrl(address);
  if (!url) {
    throw remoteAddressError(
      `${JSON.stringify(address)} is not the address of a server. Write it as http(s)://HOST:PORT.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw remoteAddressError(
      `The address of ${url.host} holds a user or password. Leave them out, and give them as settings.`,
    );
  }
  if (hasCredentials && isUnencrypted(url)) {
    throw remoteAddressError(
      `${url.origin} would be sent a password or token in the clear. Use https, or leave the credentials out.`,
    );
  }
  return url.origin;
}

/** Why a request brought no answer that is worth reading. */
export interface RequestFault {
  /** Continues “Trino at URL …”. */
  problem: string;
  nextStep: string;
  isConnected: boolean;
  /** Whether the service surely did nothing of what was asked. */
  wasUndone: boolean;
  /** Whether another try may succeed. */
  isTransient: boolean;
  cause?: unknown;
}

/** Refused before anything was done. */
const refusedStatuses = new Set([429, 503]);
const passingStatuses = new Set([...refusedStatuses, 502, 504]);
const unsentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/** What an answer's status says of it; `undefined` where the answer is for whoever asked. */
function findFaultOfStatus(status: number): RequestFault | undefined {
  if (!passingStatuses.has(status)) return undefined;
  return {
    problem: `answers with status ${status}`,
    nextStep: "Check whether it is up, and whatever stands before it.",
    isConnected: true,
    wasUndone: refusedStatuses.has(status),
    isTransient: true,
  };
}

function faultOfError(error: Error): RequestFault {
  const { problem, nextStep, isTransient } = faultOf(error);
  const isUnsent = "code" in error && unsentCodes.has(String(error.code));
  return {
    problem,
    nextStep: nextStep.replace("ROOT", "its address"),
    isConnected: !isUnsent,
    wasUndone: isUnsent,
    isTransient,
    cause: publicCause(error),
  };
}

/** An integer that JSON.parse may round, where no text is: a text is matched as a whole before it. */
const textOrLongInteger = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** Parses JSON whose integers of 16 digits and more come as texts, so that none is rounded. */
export function parseWholeJson(text: string): unknown {
  return JSON.parse(
    /\d{16}/.test(text)
      ? text.replace(textOrLongInteger, (found) => (found.startsWith('"') ? found : `"${found}"`))
      : text,
  );
}
