import type { Dispatcher } from "undici";
import { maxPostponeMs } from "../../state/client/request-budget.ts";
import { type Clock, monotonicMs } from "../../util/clock.ts";
import { classifyFault } from "../../util/connection-fault.ts";
import { parseRetryAfterMs } from "../../util/http-values.ts";
import type { Logger } from "../../util/logger.ts";
import { attemptLimit, computeRetryDelayMs, type RetryOptions } from "../../util/retry-delays.ts";
import { toPublicCause, VenueError } from "../../util/venue-error.ts";
import { ConnectionFailedError, describe, OutcomeUnknownError } from "../errors.ts";
import type { Connections } from "./connections.ts";
import type { ApiRequest, Sending } from "./request.ts";
import type { ServiceAddress } from "./service-address.ts";
import { UploadForm } from "./upload-file.ts";

/** Permanent 5xx statuses: the request is unsupported, or the network requires a login. */
const permanentStatuses = new Set([501, 505, 511]);

interface AttemptsOptions {
  address: ServiceAddress;
  connections: Connections;
  retry: Required<RetryOptions>;
  clock: Clock;
  logger: Logger;
}

/**
 * Retries one request. A harmless request is retried after any temporary failure, a command only if it
 * certainly was not executed. Each retry is logged, but if many requests can't connect, only the first is.
 */
export class Attempts {
  readonly #request: ApiRequest;
  readonly #options: AttemptsOptions;
  readonly #retry: Required<RetryOptions>;
  readonly #startedMs = monotonicMs();
  #failed = 0;
  /** Start of the first attempt in the current series of attempts that failed to connect. */
  #unreachableSinceMs: number | undefined;

  constructor(request: ApiRequest, options: AttemptsOptions) {
    this.#request = request;
    this.#options = options;
    const { attempts } = options.retry;
    this.#retry = { ...options.retry, attempts: Math.min(attempts, request.attempts ?? attempts) };
  }

  /** Waits before the next attempt. Returns false if the response is final. */
  async waitAfterResponse({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<boolean> {
    this.#options.connections.isKnownUnreachable = false;
    // A service that responds with 429 has not executed the request.
    const mayRepeat = status === 429 || (this.#request.isRepeatable && isTemporary(status));
    const delayMs = mayRepeat ? this.#nextDelayMs() : undefined;
    if (delayMs === undefined) return false;
    await body.dump();
    const requestedMs = parseRetryAfter(headers["retry-after"], headers.date) ?? 0;
    this.#logRetry(`got status ${status}`, Math.max(delayMs, requestedMs), true);
    // Waits only for the backoff delay, because the budget enforces `Retry-After`.
    await this.#options.clock.sleep(delayMs, this.#request.signal);
    return true;
  }

  /**
   * Waits before the next attempt.
   * @throws the translated error if no more attempts are allowed
   */
  async waitAfterError({ error, startedMs, wasSent }: Sending): Promise<void> {
    const { target, signal, awaitResponseOnAbort } = this.#request;
    if (signal.aborted && !(awaitResponseOnAbort && wasSent)) throw signal.reason;
    if (!error || error instanceof VenueError) throw error;
    const { problem, isTransient } = classifyFault(error);
    if (wasSent && this.#isOutcomeUnknown()) {
      const reason = `its response was lost: the service ${problem}`;
      throw new OutcomeUnknownError(target, reason, { cause: toPublicCause(error) });
    }
    const delayMs = isTransient ? this.#nextDelayMs(wasSent ? undefined : startedMs) : undefined;
    if (delayMs === undefined) {
      if (!("code" in error)) throw error;
      const { host } = this.#options.address;
      throw new ConnectionFailedError(target, host, error, { isUnreachable: !wasSent });
    }
    this.#logRetry(`failed: the service ${problem}`, delayMs, wasSent);
    await this.#options.clock.sleep(delayMs, signal);
  }

  /** Returns true if the request may have been executed. Incomplete uploads never are. */
  #isOutcomeUnknown(): boolean {
    const { body, isRepeatable } = this.#request;
    return !isRepeatable && (body instanceof UploadForm ? body.wasSent : true);
  }

  /** @param unreachableMs start of an attempt that failed to connect */
  #nextDelayMs(unreachableMs?: number): number | undefined {
    this.#failed += 1;
    this.#unreachableSinceMs = unreachableMs && (this.#unreachableSinceMs ?? unreachableMs);
    const elapsedMs = monotonicMs() - (this.#unreachableSinceMs ?? this.#startedMs);
    const isConnected = unreachableMs === undefined;
    return computeRetryDelayMs({ attempt: this.#failed, elapsedMs, isConnected }, this.#retry);
  }

  #logRetry(reason: string, waitMs: number, isConnected: boolean): void {
    const { connections, logger } = this.#options;
    const log = !isConnected && connections.isKnownUnreachable ? logger.debug : logger.warn;
    connections.isKnownUnreachable = !isConnected;
    log(
      `${describe(this.#request.target)} ${reason}; attempt ${this.#failed + 1} of ` +
        `${attemptLimit(isConnected, this.#retry)} follows in ${(waitMs / 1000).toFixed(1)} s`,
    );
  }
}

/**
 * Returns true for statuses that may be temporary: 408, which a proxy sends after a timeout or on closing an
 * idle connection, and 5xx, including those that only CDNs use (520 to 530).
 */
function isTemporary(status: number): boolean {
  return status === 408 || (status >= 500 && !permanentStatuses.has(status));
}

/** Returns the pause requested by a response, in milliseconds, capped at five minutes. */
export function parseRetryAfter(
  retryAfter: string | string[] | undefined,
  serverDate: string | string[] | undefined,
): number | undefined {
  const requestedMs = parseRetryAfterMs(retryAfter, serverDate);
  return requestedMs === undefined ? undefined : Math.min(requestedMs, maxPostponeMs);
}
