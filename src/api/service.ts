import type { Readable } from "node:stream";
import type { z } from "zod";
import { linkSignals } from "../util/abort-signals.ts";
import { computeRetryDelayMs } from "../util/retry-delays.ts";
import { toPublicCause, VenueError } from "../util/venue-error.ts";
import type { ListInput } from "./endpoints/inputs.ts";
import {
  CredentialsRefusedError,
  createStatusError,
  describe,
  OutcomeUnknownError,
  type RequestRoot,
  shortenResponseText,
  TruncatedListError,
  UnexpectedResponseError,
} from "./errors.ts";
import { isHtml, openArray, streamArrayItems } from "./read-list.ts";
import { parseJson, parseListedRecord, parseRecord } from "./records/parse-record.ts";
import { acceptedEncodings, readBody, UnreadableBodyError } from "./transport/read-body.ts";
import type { ApiRequest } from "./transport/request.ts";
import type { Secrets } from "./transport/secrets.ts";
import { type ApiResponse, type RequestPath, send } from "./transport/send.ts";
import { UploadForm } from "./transport/upload-file.ts";

export interface ServiceOptions extends RequestPath {
  /** The kind of root URL, for error messages. */
  root: RequestRoot;
  secrets: Secrets;
  userAgent: string;
  /** Aborted when the client is closed. */
  closing: AbortSignal;
}

/** Maximum number of attempts if the response is truncated or a web page. */
const bodyAttempts = 4;
const maxErrorBytes = 64 * 1024;

/** Matches text that may be a URL's query, because presigned URLs give access to files. */
const maybeQuery = /\?[^\s"'<>]+/g;

/** Sends requests and returns the validated JSON of their responses, or throws errors from `errors.ts`. */
export class Service {
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** Prefix of all paths except those for secrets and tokens. */
  get prefix(): string {
    return this.#options.root === "status" ? "api/v1/" : "ext/";
  }

  /** Makes text from the service safe to show and store: short, without secrets and signatures. */
  sanitizeText(text: string): string {
    const redacted = this.#options.secrets.redact(text).slice(0, maxErrorBytes);
    // The pattern does not include `=`, because the search would then restart at each `?`, in quadratic time.
    const hidden = redacted.replace(maybeQuery, (query) => (query.includes("=", 2) ? "?[hidden]" : query));
    return shortenResponseText(hidden);
  }

  /** Resolves a link from the service, which may be relative to the base URL. */
  resolve(link: string): string {
    return this.#options.address.resolve(link);
  }

  /** Sends a request. A repeatable request is sent again if the response is truncated or a web page. */
  async request<Result>(options: ServiceRequest<Result>): Promise<Result> {
    const { request, unlink } = this.#prepare(options);
    const { target, method, isRepeatable } = request;
    try {
      const json = await this.#readCompletely(request, async (response) => {
        const text = await readBody(response.body, response.headers["content-encoding"]);
        if (response.status === 204 && options.noContent !== undefined) return options.noContent;
        const json = parseJson(text, { isHtml: isHtml(response), mayBeText: options.mayBeText ?? false });
        response.keep(text);
        return json;
      });
      return parseRecord(options.schema, json, target, { outcomeUnknown: !isRepeatable });
    } catch (error) {
      if (error instanceof UnexpectedResponseError) this.#options.cache.remove(request.path);
      throw error;
    } finally {
      // Clears the cache even if the caller no longer waits, because a command may have changed anything.
      if (method !== "GET" && !isRepeatable) this.#options.cache.clear();
      unlink();
    }
  }

  /**
   * Requests an array and yields its records as they arrive. A short array is first read completely, and is
   * requested again if truncated.
   * @throws {TruncatedListError} if a long array is truncated; read it again from its start
   */
  async *list<Item>({
    item,
    onInvalidRecord,
    ...options
  }: ListRequest<Item>): AsyncGenerator<Item, void, undefined> {
    const { request, unlink } = this.#prepare(options);
    const { target, signal } = request;
    let records = 0;
    let invalidCount = 0;
    let firstInvalid: UnexpectedResponseError | undefined;
    let array: Readable | undefined;
    try {
      array = await this.#readCompletely(request, (response) => openArray(response, target));
      for await (const record of streamArrayItems(array)) {
        const parsed = parseListedRecord(item, record, target, { at: [records], onInvalidRecord });
        records += 1;
        if (parsed instanceof UnexpectedResponseError) {
          invalidCount += 1;
          firstInvalid ??= parsed;
        } else yield parsed;
      }
      if (firstInvalid && invalidCount === records) throw firstInvalid;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof UnexpectedResponseError) this.#options.cache.remove(request.path);
      if (error instanceof VenueError || array === undefined) throw error;
      throw new TruncatedListError(target, records, { cause: toPublicCause(error) });
    } finally {
      unlink();
    }
  }

  #prepare(options: RequestOptions): { request: ApiRequest; unlink(): void } {
    const { method, body = null, isFresh = false, isRepeatable = method === "GET" } = options;
    const { address, closing, root, userAgent } = this.#options;
    const { signal, unlink } = linkSignals(options.signal, closing);
    const path = addQuery(options);
    const request: ApiRequest = {
      target: { method, path: options.isQuerySecret ? options.path : path, root },
      method,
      path: address.pathTo(path),
      headers: {
        accept: "application/json",
        "accept-encoding": acceptedEncodings,
        "user-agent": userAgent,
        ...(isFresh ? { "cache-control": "no-store" } : {}),
        ...buildContentHeaders(body),
      },
      body: body === null || body instanceof UploadForm ? body : JSON.stringify(body),
      isRepeatable,
      isFresh,
      attempts: options.attempts,
      awaitResponseOnAbort: options.awaitResponseOnAbort ?? false,
      onProduced: options.onProduced,
      signal,
    };
    return { request, unlink };
  }

  /** Returns the result of `read`. A repeatable request is sent again if the body is unreadable. */
  async #readCompletely<Result>(
    request: ApiRequest,
    read: (response: ApiResponse) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await read(await this.#requestOnce(request));
      } catch (error) {
        if (request.signal.aborted && !request.awaitResponseOnAbort) throw request.signal.reason;
        if (!(error instanceof UnreadableBodyError)) throw error;
        await this.#waitAfter(error, attempt, request);
      }
    }
  }

  /** Waits before the next attempt. @throws if no more attempts are allowed */
  async #waitAfter(
    error: UnreadableBodyError,
    attempt: number,
    { target, isRepeatable, signal }: ApiRequest,
  ): Promise<void> {
    const { clock, logger, retry } = this.#options;
    if (error.fault === "cut" && !isRepeatable) {
      throw new OutcomeUnknownError(target, `its response can't be read: ${error.message}`, { cause: error });
    }
    const options = { ...retry, attempts: Math.min(retry.attempts, bodyAttempts) };
    const isTransient = error.fault !== "form" && isRepeatable;
    const delayMs = isTransient
      ? computeRetryDelayMs({ attempt, elapsedMs: 0, isConnected: true }, options)
      : undefined;
    if (delayMs === undefined) {
      const outcomeUnknown = !isRepeatable;
      throw new UnexpectedResponseError(target, error.message, { cause: error, outcomeUnknown });
    }
    logger.warn(
      `the response to ${describe(target)} can't be read: ${error.message}; attempt ${attempt + 1} of ` +
        `${options.attempts} follows in ${(delayMs / 1000).toFixed(1)} s`,
    );
    await clock.sleep(delayMs, signal);
  }

  async #requestOnce(request: ApiRequest): Promise<ApiResponse> {
    const { target, isRepeatable, onProduced } = request;
    const response = await send(request, this.#options);
    const { status, headers, production, refusedClientId } = response;
    if (status < 200 || status > 299) {
      const limits = { limitBytes: maxErrorBytes, isLimitSoft: true };
      const text = await readBody(response.body, headers["content-encoding"], limits).catch(() => "");
      const refusal = { status, text: this.sanitizeText(text) };
      if (refusedClientId !== undefined) throw new CredentialsRefusedError(target, refusedClientId, refusal);
      throw createStatusError(target, isRepeatable, refusal);
    }
    onProduced?.(production);
    // An empty response may still claim to be compressed.
    return status === 204
      ? { ...response, headers: { ...headers, "content-encoding": undefined } }
      : response;
  }
}

function buildContentHeaders(body: object | null): Record<string, string> {
  if (body === null) return {};
  if (!(body instanceof UploadForm)) return { "content-type": "application/json" };
  return { "content-type": body.contentType, "content-length": String(body.sizeBytes) };
}

/** Returns the path and query, relative to the base URL. */
function addQuery({ path, query = {} }: RequestOptions): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return parameters.size > 0 ? `${path}?${parameters}` : path;
}

interface RequestOptions {
  method: "GET" | "POST" | "DELETE";
  /** Relative to the base URL, e.g. `ext/devices/status`; variable parts are already encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean>>;
  /** Sent as JSON, unless it is a form. */
  body?: object | UploadForm;
  /** True if the request changes nothing, so that it may be sent again if its response is lost. @default GET only */
  isRepeatable?: boolean;
  /** Maximum number of attempts, if lower than the client's limit. */
  attempts?: number | undefined;
  /** True if the response must not come from a cache. */
  isFresh?: boolean | undefined;
  onProduced?: ListInput["onProduced"];
  /** True if the query contains a secret that must not appear in messages. */
  isQuerySecret?: boolean;
  /** True if an abort no longer cancels the request after it is sent. */
  awaitResponseOnAbort?: boolean;
  signal?: AbortSignal | undefined;
}

interface ServiceRequest<Result> extends RequestOptions {
  schema: z.ZodType<Result>;
  /** True if a response that isn't JSON is returned as text. */
  mayBeText?: boolean;
  /** Result for a response without content (204). If not set, such a response is an error. */
  noContent?: unknown;
}

interface ListRequest<Item> extends RequestOptions {
  item: z.ZodType<Item>;
  onInvalidRecord: ListInput["onInvalidRecord"];
}
