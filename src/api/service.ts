import type { Readable } from "node:stream";
import type { z } from "zod";
import { retryDelayMs } from "../util/retry-delays.ts";
import { publicCause, VenueError } from "../util/venue-error.ts";
import type { ListInput } from "./endpoints/inputs.ts";
import {
  AnswerCutError,
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
import { linkSignals } from "./transport/linked-signal.ts";
import { acceptedEncodings, readBody, UnreadableBodyError } from "./transport/read-body.ts";
import type { Secrets } from "./transport/secrets.ts";
import { type ApiResponse, type RequestPath, send } from "./transport/send.ts";
import { UploadForm } from "./transport/upload-file.ts";

export interface ServiceOptions extends RequestPath {
  /** What the address is, for messages. */
  root: RequestRoot;
  secrets: Secrets;
  userAgent: string;
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
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
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
    const mayBeCarriedOut = !isRepeatable(request);
    try {
      const json = await this.#readWhole(request, signal, async (response) => {
        const text = await readBody(response.body, response.headers["content-encoding"]);
        if (response.status === 204 && request.noContent !== undefined) return request.noContent;
        const json = parseJson(text, { isHtml: isHtml(response), mayBeText: request.mayBeText ?? false });
        response.keep(text);
        return json;
      });
      const target = targetOf(request, this.#options.root);
      return parseRecord(request.answer, json, target, { mayBeCarriedOut });
    } catch (error) {
      if (error instanceof UnexpectedResponseError) this.#forget(request);
      throw error;
    } finally {
      // A command may have changed anything, even if nobody waits for its response any more.
      if (request.method !== "GET" && mayBeCarriedOut) this.#options.cache.clear();
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

  /** Removes an invalid response from the cache, so that the next request gets another one. */
  #forget(request: SentRequest): void {
    this.#options.cache.remove(this.#options.address.pathTo(pathOf(request)));
  }

  /** What `read` makes of the answer; asked again while that finds it cut or a web page, where that is harmless. */
  async #readWhole<Result>(
    request: SentRequest,
    signal: AbortSignal,
    read: (response: ApiResponse) => Promise<Result>,
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

  async #askOnce(request: SentRequest, target: RequestTarget, signal: AbortSignal): Promise<ApiResponse> {
    const { method, body = null, isFresh = false, attempts, mustBeHeard = false } = request;
    const { address, userAgent } = this.#options;
    const sent = {
      target,
      method,
      path: address.pathTo(pathOf(request)),
      headers: {
        accept: "application/json",
        "accept-encoding": acceptedEncodings,
        "user-agent": userAgent,
        ...(isFresh ? { "cache-control": "no-store" } : {}),
        ...contentHeaders(request.body),
      },
      body: body === null || body instanceof UploadForm ? body : JSON.stringify(body),
      isRepeatable: isRepeatable(request),
      isFresh,
      attempts,
      awaitResponseOnAbort: mustBeHeard,
      signal,
    };
    const response = await send(sent, this.#options);
    const { status, headers, production, refusedClientId } = response;
    if (status < 200 || status > 299) {
      const limits = { limitBytes: longestErrorBytes, isLimitSoft: true };
      const text = await readBody(response.body, headers["content-encoding"], limits).catch(() => "");
      const answer = { status, text: this.harmlessText(text) };
      if (refusedClientId !== undefined) throw new CredentialsRefusedError(target, refusedClientId, answer);
      throw errorOfStatus(target, isRepeatable(request), answer);
    }
    request.onProduced?.(production);
    // An empty response may still claim to be compressed.
    return status === 204
      ? { ...response, headers: { ...headers, "content-encoding": undefined } }
      : response;
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
