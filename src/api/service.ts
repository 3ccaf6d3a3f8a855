import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { z } from "zod";
import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import { type RetryOptions, retryDelayMs } from "../util/retry-delays.ts";
import { publicCause, VenueError } from "../util/venue-error.ts";
import type { ListInput } from "./endpoints/inputs.ts";
import {
  AnswerCutError,
  ConnectionFailedError,
  CredentialsRefusedError,
  describe,
  errorOfStatus,
  MaybeCarriedOutError,
  type RequestRoot,
  type RequestTarget,
  shortAnswerText,
  UnexpectedResponseError,
} from "./errors.ts";
import { arrayItems, isHtml, openArray } from "./read-list.ts";
import { fitRecord, isTooDeep, parseJson, parseRecord, tooDeep } from "./records/parse-record.ts";
import { linkSignals, untilAborted } from "./transport/linked-signal.ts";
import { acceptedEncodings, readBody, UnreadableBodyError } from "./transport/read-body.ts";
import type { Secrets } from "./transport/secrets.ts";
import type { ServiceAddress } from "./transport/service-address.ts";
import type { AnswerStore } from "./transport/steps/answer-store.ts";
import type { ApiCall, CallOptions } from "./transport/steps/api-call.ts";
import { productionOf } from "./transport/steps/date-step.ts";
import type { Timeouts } from "./transport/timeouts.ts";
import { UploadForm } from "./transport/upload-file.ts";

export interface ServiceOptions {
  address: ServiceAddress;
  /** What the address is, for messages. */
  root: RequestRoot;
  secrets: Secrets;
  timeouts: Required<Timeouts>;
  retry: Required<RetryOptions>;
  userAgent: string;
  clock: Clock;
  logger: Logger;
  /** Where answers are kept; those that turn out to be no good are removed. */
  store: Pick<AnswerStore, "delete">;
  /** Aborted when the client is closed. */
  closing: AbortSignal;
}

/** Answers that come cut, or as a web page, are asked for this often in all. */
const bodyAttempts = 4;
const longestErrorBytes = 64 * 1024;

/** What may be the query of an address in a text: those of presigned links open files. */
const maybeQuery = /\?[^\s"'<>]+/g;

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
    const redacted = this.#options.secrets.redact(text).slice(0, longestErrorBytes);
    // One after the other is looked at once: to look for the sign in the pattern would begin anew at each `?`.
    const hidden = redacted.replace(maybeQuery, (query) => (query.includes("=", 2) ? "?[hidden]" : query));
    return shortAnswerText(hidden);
  }

  /** A link of the service's, which may be relative to the base URL. */
  resolve(link: string): string {
    return this.#options.address.resolve(link);
  }

  /** Asks; an answer that comes cut, or as a web page, is asked for again, where that is harmless. */
  async ask<Answer>(request: ServiceRequest<Answer>): Promise<Answer> {
    const { signal, unlink } = linkSignals(request.signal, this.#options.closing);
    try {
      const json = await this.#readWhole(request, signal, async (response) => {
        const text = await readBody(response.body, response.headers["content-encoding"]);
        if (response.statusCode === 204 && request.noContent !== undefined) return request.noContent;
        return parseJson(text, { isHtml: isHtml(response), mayBeText: request.mayBeText ?? false });
      });
      const mayBeCarriedOut = !isRepeatable(request);
      return parseRecord(request.answer, json, targetOf(request, this.#options.root), { mayBeCarriedOut });
    } catch (error) {
      // Whether something that is not waited for any more is carried out, nobody knows.
      const isInDoubt = error instanceof MaybeCarriedOutError || (signal.aborted && !isRepeatable(request));
      if (isInDoubt || error instanceof UnexpectedResponseError) this.#forget(request);
      throw error;
    } finally {
      unlink();
    }
  }

  /**
   * Asks for an array, and hands on its records as they come. A short one is held until it is whole, and asked for
   * again when it comes cut.
   * @throws {AnswerCutError} when a long one is cut: the reader has to begin anew
   */
  async *list<Item>({
    item,
    onMisfit,
    ...options
  }: ListRequest<Item>): AsyncGenerator<Item, void, undefined> {
    const request = { ...options, method: "GET" } as const;
    const target = targetOf(request, this.#options.root);
    const { signal, unlink } = linkSignals(request.signal, this.#options.closing);
    let records = 0;
    let misfits = 0;
    let firstMisfit: UnexpectedResponseError | undefined;
    let array: Readable | undefined;
    try {
      array = await this.#readWhole(request, signal, (response) => openArray(response, target));
      for await (const record of arrayItems(array)) {
        if (isTooDeep(record)) throw new UnexpectedResponseError(target, tooDeep);
        const fitted = fitRecord(item, record, target, { at: [records], onMisfit });
        records += 1;
        if (fitted instanceof UnexpectedResponseError) {
          misfits += 1;
          firstMisfit ??= fitted;
        } else yield fitted;
      }
      if (firstMisfit && misfits === records) throw firstMisfit;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof UnexpectedResponseError) this.#forget(request);
      if (error instanceof VenueError || array === undefined) throw error;
      throw new AnswerCutError(target, records, { cause: publicCause(error) });
    } finally {
      unlink();
    }
  }

  /**
   * Removes an answer that is not what was asked for, so that who asks again gets another one; and all of them where
   * something may have been changed.
   */
  #forget(request: SentRequest): void {
    const { address, store } = this.#options;
    const { method } = request;
    store.delete({ origin: address.origin, method, path: address.pathTo(pathOf(request)) });
  }

  /** What `read` makes of the answer; asked again while that finds it cut or a web page, where that is harmless. */
  async #readWhole<Result>(
    request: SentRequest,
    signal: AbortSignal,
    read: (response: Dispatcher.ResponseData) => Promise<Result>,
  ): Promise<Result> {
    const target = targetOf(request, this.#options.root);
    for (let attempt = 1; ; attempt++) {
      try {
        return await read(await this.#askOnce(request, target, signal));
      } catch (error) {
        if (signal.aborted && !request.mustBeHeard) throw signal.reason;
        if (!(error instanceof UnreadableBodyError)) throw error;
        await this.#waitAfter(error, attempt, request, target, signal);
      }
    }
  }

  /** Waits before the next attempt. @throws when there should be none */
  async #waitAfter(
    error: UnreadableBodyError,
    attempt: number,
    request: SentRequest,
    target: RequestTarget,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, logger, retry } = this.#options;
    if (error.fault === "cut" && !isRepeatable(request)) {
      throw new MaybeCarriedOutError(target, `its answer can't be read: ${error.message}`, { cause: error });
    }
    const options = { ...retry, attempts: Math.min(retry.attempts, bodyAttempts) };
    const mayPass = error.fault !== "form" && isRepeatable(request);
    const delayMs = mayPass ? retryDelayMs({ attempt, elapsedMs: 0, isConnected: true }, options) : undefined;
    if (delayMs === undefined) {
      const mayBeCarriedOut = !isRepeatable(request);
      throw new UnexpectedResponseError(target, error.message, { cause: error, mayBeCarriedOut });
    }
    logger.warn(
      `the answer to ${describe(target)} can't be read: ${error.message}; attempt ${attempt + 1} of ` +
        `${options.attempts} follows in ${(delayMs / 1000).toFixed(1)} s`,
    );
    await clock.sleep(delayMs, signal);
  }

  async #askOnce(
    request: SentRequest,
    target: RequestTarget,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const call = this.#callOf(request, target, signal);
    const response = await this.#send(request, call, signal);
    const { statusCode: status, headers, body } = response;
    if (status < 200 || status > 299) {
      const limits = { limitBytes: longestErrorBytes, isLimitSoft: true };
      const text = await readBody(body, headers["content-encoding"], limits).catch(() => "");
      const answer = { status, text: this.harmlessText(text) };
      if (call.refusedClientId !== undefined)
        throw new CredentialsRefusedError(target, call.refusedClientId, answer);
      throw errorOfStatus(target, isRepeatable(request), answer);
    }
    request.onProduced?.(productionOf(headers, this.#options.clock.now()));
    // Of nothing there is nothing to decompress, though it is said to be compressed.
    return status === 204
      ? { ...response, headers: { ...headers, "content-encoding": undefined } }
      : response;
  }

  #callOf(request: SentRequest, target: RequestTarget, signal: AbortSignal): ApiCall {
    const { body } = request;
    return {
      target,
      isRepeatable: isRepeatable(request),
      attempts: request.attempts,
      signal,
      wasSent: false,
      wasBodySent: () => (body instanceof UploadForm ? body.wasSent : true),
    };
  }

  async #send(request: SentRequest, call: ApiCall, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { address, timeouts, userAgent } = this.#options;
    const form = request.body instanceof UploadForm ? request.body : undefined;
    const options: CallOptions & Dispatcher.RequestOptions = {
      origin: address.origin,
      path: address.pathTo(pathOf(request)),
      method: request.method,
      headers: {
        accept: "application/json",
        "accept-encoding": acceptedEncodings,
        "user-agent": userAgent,
        ...(request.isFresh ? { "cache-control": "no-store" } : {}),
        ...contentHeaders(request.body),
      },
      // The library sends anything that can be iterated, each time anew; its types know fewer such things.
      body: form
        ? (form as AsyncIterable<Uint8Array> as Readable)
        : request.body
          ? JSON.stringify(request.body)
          : null,
      headersTimeout: timeouts.headersMs,
      bodyTimeout: timeouts.bodyIdleMs,
      // The steps end what was not sent yet.
      signal: request.mustBeHeard ? undefined : signal,
      call,
    };
    try {
      const response = this.#dispatcher.request(options);
      // Undici notices an abort only once the connection stands.
      return await (request.mustBeHeard ? response : untilAborted(response, signal));
    } catch (error) {
      if (signal.aborted && !request.mustBeHeard) throw signal.reason;
      if (error instanceof VenueError || !(error instanceof Error) || !("code" in error)) throw error;
      throw new ConnectionFailedError(call.target, address.host, error, { isUnreachable: !call.wasSent });
    }
  }
}

function contentHeaders(body: SentRequest["body"]): Record<string, string> {
  if (body === undefined) return {};
  if (!(body instanceof UploadForm)) return { "content-type": "application/json" };
  return { "content-type": body.contentType, "content-length": String(body.sizeBytes) };
}

/** One request to the service, and what its answer should look like. */
interface ServiceRequest<Answer> {
  method: "GET" | "POST" | "DELETE";
  /** Relative to the base URL, e.g. `ext/devices/status`; parts that vary are encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON, a form as it is. */
  body?: object | UploadForm;
  answer: z.ZodType<Answer>;
  /** The request changes nothing, so it may be sent again when its answer is lost. @default GET only */
  isRepeatable?: boolean;
  /** Attempts in all, if fewer than the client's. */
  attempts?: number;
  /** No answer from a cache will do. */
  isFresh?: boolean | undefined;
  onProduced?: ListInput["onProduced"];
  /** The query holds a secret: no message may show it. */
  isQuerySecret?: boolean;
  /** Once it is sent, its answer is waited for: an abort ends only what comes before. */
  mustBeHeard?: boolean;
  /** An answer that is no JSON is taken as a text. */
  mayBeText?: boolean;
  /** What an answer without content (204) stands for. @default it is no answer */
  noContent?: unknown;
  signal?: AbortSignal | undefined;
}

/** What of a request does not depend on its answer. */
type SentRequest = Omit<ServiceRequest<unknown>, "answer">;

/** One request for an array of records. */
interface ListRequest<Item> extends Pick<ListInput, "onMisfit" | "onProduced"> {
  /** As in `ServiceRequest`. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  item: z.ZodType<Item>;
  /** No answer from a cache will do. */
  isFresh?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Whether it may be sent again when its answer is lost. */
function isRepeatable({ method, isRepeatable }: SentRequest): boolean {
  return isRepeatable ?? method === "GET";
}

/** Its path and query, relative to the base URL. */
function pathOf({ path, query = {} }: SentRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size > 0 ? `${path}?${parameters}` : path;
}

/** What errors and messages may show of it. */
function targetOf(request: SentRequest, root: RequestRoot): RequestTarget {
  return { method: request.method, path: request.isQuerySecret ? request.path : pathOf(request), root };
}
