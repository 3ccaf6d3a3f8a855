import type { Dispatcher } from "undici";
import type { z } from "zod";
import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import { VenueError } from "../util/venue-error.ts";
import { shortAnswerText } from "./errors/answer-text.ts";
import { describe, type RequestTarget } from "./errors/api-error.ts";
import { ConnectionFailedError } from "./errors/connection-failed-error.ts";
import { errorOfStatus } from "./errors/error-of-status.ts";
import { MaybeCarriedOutError } from "./errors/maybe-carried-out-error.ts";
import { UnexpectedResponseError } from "./errors/unexpected-response-error.ts";
import { parseJson } from "./records/parse-json.ts";
import { parseRecord } from "./records/parse-record.ts";
import type { CallOptions } from "./transport/api-call.ts";
import { acceptedEncodings } from "./transport/decompress.ts";
import { linkSignals, untilAborted } from "./transport/linked-signal.ts";
import { readBody, UnreadableBodyError } from "./transport/read-body.ts";
import { type RetryOptions, retryDelayMs } from "./transport/retry-delays.ts";
import type { Secrets } from "./transport/secrets.ts";
import type { ServiceAddress } from "./transport/service-address.ts";
import type { Timeouts } from "./transport/timeouts.ts";

/** One request to the service, and what its answer should look like. */
export interface ServiceRequest<Answer> {
  method: "GET" | "POST" | "DELETE";
  /** Relative to the base URL, e.g. `ext/devices/status`; parts that vary are encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  body?: object;
  answer: z.ZodType<Answer>;
  /** The request changes nothing, so it may be sent again when its answer is lost. @default GET only */
  isRepeatable?: boolean;
  /** No answer from a cache will do. */
  isFresh?: boolean;
  /** The query holds a secret: no message may show it. */
  isQuerySecret?: boolean;
  /** An answer that is no JSON is taken as a text. */
  mayBeText?: boolean;
  signal?: AbortSignal | undefined;
}

export interface ServiceOptions {
  address: ServiceAddress;
  secrets: Secrets;
  timeouts: Required<Timeouts>;
  retry: Required<RetryOptions>;
  userAgent: string;
  clock: Clock;
  logger: Logger;
  /** Aborted when the client is closed. */
  closing: AbortSignal;
}

/** Answers whose body is cut are asked for this often in all. */
const bodyAttempts = 4;
const longestErrorBytes = 64 * 1024;

/** Queries of addresses in a text: those of presigned links open files. */
const urlQuery = /\?[^\s"'<>]+=[^\s"'<>]*/g;

/** Asks the service, and answers its JSON, checked; everything else becomes one of the errors in `errors/`. */
export class Service {
  readonly #dispatcher: Dispatcher;
  readonly #options: ServiceOptions;

  constructor(dispatcher: Dispatcher, options: ServiceOptions) {
    this.#dispatcher = dispatcher;
    this.#options = options;
  }

  /** A text of the service's, as it may be shown and kept: short, without secrets and signatures. */
  harmlessText(text: string): string {
    return shortAnswerText(this.#options.secrets.redact(text).replace(urlQuery, "?[hidden]"));
  }

  /** Asks; an answer that comes cut is asked for again, where that is harmless. */
  async ask<Answer>(request: ServiceRequest<Answer>): Promise<Answer> {
    const target = targetOf(request);
    const { signal, unlink } = linkSignals(request.signal, this.#options.closing);
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const json = await this.#askOnce(request, target, signal);
          return parseRecord(request.answer, json, target);
        } catch (error) {
          if (signal.aborted) throw signal.reason;
          if (!(error instanceof UnreadableBodyError)) throw error;
          await this.#waitAfter(error, attempt, request, target, signal);
        }
      }
    } finally {
      unlink();
    }
  }

  /** Waits before the next attempt. @throws when there should be none */
  async #waitAfter(
    error: UnreadableBodyError,
    attempt: number,
    request: ServiceRequest<unknown>,
    target: RequestTarget,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, logger, retry } = this.#options;
    if (error.isCut && !isRepeatable(request)) {
      throw new MaybeCarriedOutError(target, "its answer was cut off", { cause: error });
    }
    const options = { ...retry, attempts: Math.min(retry.attempts, bodyAttempts) };
    const delayMs = error.isCut
      ? retryDelayMs({ attempt, elapsedMs: 0, isConnected: true }, options)
      : undefined;
    if (delayMs === undefined) throw new UnexpectedResponseError(target, error.message, { cause: error });
    logger.warn(
      `the answer to ${describe(target)} can't be read: ${error.message}; attempt ${attempt + 1} of ` +
        `${options.attempts} follows in ${(delayMs / 1000).toFixed(1)} s`,
    );
    await clock.sleep(delayMs, signal);
  }

  async #askOnce(
    request: ServiceRequest<unknown>,
    target: RequestTarget,
    signal: AbortSignal,
  ): Promise<unknown> {
    const response = await this.#send(request, target, signal);
    const { statusCode: status, headers, body } = response;
    if (status < 200 || status > 299) {
      const limits = { limitBytes: longestErrorBytes, isLimitSoft: true };
      const text = await readBody(body, headers["content-encoding"], limits).catch(() => "");
      throw errorOfStatus(target, isRepeatable(request), {
        status,
        text: shortAnswerText(this.#options.secrets.redact(text)),
      });
    }
    return parseJson(await readBody(body, headers["content-encoding"]), {
      isHtml: String(headers["content-type"]).includes("html"),
      mayBeText: request.mayBeText ?? false,
    });
  }

  async #send(
    request: ServiceRequest<unknown>,
    target: RequestTarget,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { address, timeouts, userAgent } = this.#options;
    const options: CallOptions & Dispatcher.RequestOptions = {
      origin: address.origin,
      path: address.pathTo(pathOf(request)),
      method: request.method,
      headers: {
        accept: "application/json",
        "accept-encoding": acceptedEncodings,
        "user-agent": userAgent,
        ...(request.isFresh ? { "cache-control": "no-store" } : {}),
        ...(request.body ? { "content-type": "application/json" } : {}),
      },
      body: request.body ? JSON.stringify(request.body) : null,
      headersTimeout: timeouts.headersMs,
      bodyTimeout: timeouts.bodyIdleMs,
      signal,
      call: { target, isRepeatable: isRepeatable(request), signal, wasSent: false },
    };
    try {
      // Undici notices an abort only once the connection stands.
      return await untilAborted(this.#dispatcher.request(options), signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof VenueError || !(error instanceof Error) || !("code" in error)) throw error;
      throw new ConnectionFailedError(target, address.host, error);
    }
  }
}

function isRepeatable({ method, isRepeatable }: ServiceRequest<unknown>): boolean {
  return isRepeatable ?? method === "GET";
}

function pathOf({ path, query = {} }: ServiceRequest<unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size > 0 ? `${path}?${parameters}` : path;
}

function targetOf(request: ServiceRequest<unknown>): RequestTarget {
  return { method: request.method, path: request.isQuerySecret ? request.path : pathOf(request) };
}
