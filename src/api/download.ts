import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import type { Agent, Dispatcher } from "undici";
import { awaitUnlessAborted, linkSignals } from "../util/abort-signals.ts";
import { createHttpAgent } from "../util/http-agent.ts";
import type { Cancellable } from "./endpoints/inputs.ts";
import { RangeMismatchError, UnexpectedResponseError } from "./errors.ts";
import {
  guardLookup,
  isLocal,
  LocalAddressError,
  readLinkError,
  toLinkTarget,
  translateLinkError,
} from "./link-target.ts";
import { decompress, isEncoded } from "./transport/read-body.ts";
import type { ServiceAddress } from "./transport/service-address.ts";
import type { Timeouts } from "./transport/timeouts.ts";

export interface DownloadInput extends Cancellable {
  /** A download link, whose query is secret and is never shown. */
  url: string;
  /** First byte to download. @default 0 */
  offset?: number;
  /** Strong entity tag of the part already downloaded. If the file has changed since, the server sends all of it. */
  ifRange?: string;
}

/** One response to a download link. */
export interface Download {
  /** 200: the whole file; 206: the file from `offset`; 416: the file ends before `offset`, so `body` is empty. */
  status: number;
  /** Position of the first byte of `body`: the requested offset, or 0. */
  offset: number;
  /** Length of the whole file, if the server reports it. */
  totalBytes: number | undefined;
  /** Strong entity tag, or `null`. */
  etag: string | null;
  /** The server compressed the file. `body` is decompressed, and the download can't be resumed. */
  isEncoded: boolean;
  /** Emits this client's errors. Must be destroyed unless read to the end. */
  body: Readable;
}

export interface DownloadsOptions {
  /** The service that issues the links. */
  address: Pick<ServiceAddress, "origin">;
  timeouts: Required<Timeouts>;
  userAgent: string;
  closing: AbortSignal;
  /** Resolves host names. @default the system's resolver */
  lookup?: LookupFunction;
}

type Response = Dispatcher.ResponseData & { url: URL };

const redirectLimit = 5;

/** Opens download links, without using the budget or an access token. Messages omit the links' signatures. */
export class Downloads {
  readonly #options: DownloadsOptions;
  readonly #connections: Agent;
  /** True if the service runs on this machine, so that links may point to it. */
  readonly #allowsLocal: boolean;

  /** @internal */
  constructor(options: DownloadsOptions) {
    this.#options = options;
    this.#allowsLocal = isLocal(new URL(options.address.origin));
    const lookup = this.#allowsLocal ? options.lookup : guardLookup(options.lookup);
    const timeout = options.timeouts.connectMs;
    this.#connections = createHttpAgent({ connect: lookup ? { timeout, lookup } : { timeout } });
  }

  /**
   * Opens a link once, without retries.
   * @throws {LinkRefusedError} if the link has expired: poll the export again
   * @throws {ConnectionFailedError} if the server can't be reached
   * @throws {ServiceFailedError} or {RateLimitedError} if a later attempt may succeed
   * @throws {UnexpectedResponseError} if the response is not a file; {RangeMismatchError} if it is not the
   * requested part
   */
  async open(input: DownloadInput): Promise<Download> {
    const { signal, unlink } = linkSignals(input.signal, this.#options.closing);
    try {
      const { url, ...response } = await this.#follow(input, signal);
      const download = await readResponse(url, response, input.offset ?? 0).catch((error) => {
        dispose(response.body);
        throw error;
      });
      const body = translateErrors(download.body, response.body, url, signal).once("close", unlink);
      return { ...download, body };
    } catch (error) {
      unlink();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#connections.destroy();
  }

  /** Follows redirects. All requests have the same headers, which contain no secrets. */
  async #follow(input: DownloadInput, signal: AbortSignal): Promise<Response> {
    let url = new URL(input.url);
    for (let redirects = 0; ; redirects++) {
      const response = await this.#request(url, input, signal);
      const { statusCode, headers, body } = response;
      const location = [headers.location].flat()[0];
      if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined)
        return { ...response, url };
      dispose(body);
      const target = toLinkTarget(url);
      if (redirects === redirectLimit) {
        throw new UnexpectedResponseError(target, `it redirects more than ${redirectLimit} times`);
      }
      if (!URL.canParse(location, url.href))
        throw new UnexpectedResponseError(target, "it redirects to an invalid URL");
      url = new URL(location, url);
    }
  }

  async #request(
    url: URL,
    { offset = 0, ifRange }: DownloadInput,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { timeouts, userAgent } = this.#options;
    if (!/^https?:$/.test(url.protocol))
      throw new UnexpectedResponseError(toLinkTarget(url), `it points to a ${url.protocol} URL`);
    // Host names are checked when a connection resolves them.
    if (isLocal(url) && !this.#allowsLocal) throw createLocalLinkError(url);
    try {
      const response = this.#connections.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: "GET",
        headers: {
          accept: "*/*",
          "accept-encoding": "identity",
          "user-agent": userAgent,
          ...(offset > 0 ? { range: `bytes=${offset}-` } : {}),
          ...(offset > 0 && ifRange !== undefined ? { "if-range": ifRange } : {}),
        },
        headersTimeout: timeouts.headersMs,
        bodyTimeout: timeouts.downloadIdleMs,
        signal,
      });
      return await awaitUnlessAborted(response, signal);
    } catch (error) {
      throw error instanceof LocalAddressError
        ? createLocalLinkError(url)
        : translateLinkError(error, url, signal);
    }
  }
}

/** Thrown for links that would make this machine send requests to itself or to its network. */
function createLocalLinkError(url: URL): UnexpectedResponseError {
  return new UnexpectedResponseError(
    toLinkTarget(url),
    "it points to this machine, but the service runs elsewhere",
  );
}

async function readResponse(url: URL, response: Dispatcher.ResponseData, offset: number): Promise<Download> {
  const { statusCode: status, headers, body } = response;
  const target = toLinkTarget(url);
  const etag = parseStrongEtag(headers.etag);
  const range = parseContentRange(headers["content-range"]);
  if (status === 416 && offset > 0) {
    dispose(body);
    return { status, offset, totalBytes: range?.total, etag, isEncoded: false, body: Readable.from([]) };
  }
  if (status !== 200 && status !== 206) throw await readLinkError(url, response);
  if (String(headers["content-type"]).includes("text/html")) {
    throw new UnexpectedResponseError(target, "it is a web page instead of a file");
  }
  const length = parseContentLength(headers["content-length"]);
  // An empty body can't be decompressed, regardless of its encoding header.
  const encoding = length === 0 ? undefined : headers["content-encoding"];
  const encoded = isEncoded(encoding);
  const decoded = decompress(body, encoding);
  if (!decoded) throw new UnexpectedResponseError(target, `it is encoded as ${String(encoding)}`);
  const file = { status, etag, isEncoded: encoded, body: decoded };
  if (status === 200) return { ...file, offset: 0, totalBytes: encoded ? undefined : length };
  // A part of a compressed file can't be decompressed by itself.
  if (range?.start !== offset || (encoded && offset > 0)) {
    throw new RangeMismatchError(
      target,
      `it contains a different part of the file than requested (from byte ${offset})`,
    );
  }
  return { ...file, offset, totalBytes: range.total };
}

/** Translates connection errors. Closing the returned stream also closes the connection. */
function translateErrors(decoded: Readable, body: Readable, url: URL, signal: AbortSignal): Readable {
  // Prevents a crash if the stream fails before it is read. The reader still receives the error.
  decoded.on("error", () => {});
  async function* readChunks() {
    try {
      yield* decoded;
    } catch (error) {
      throw translateLinkError(error, url, signal);
    }
  }
  const outer = Readable.from(readChunks(), { objectMode: false });
  outer.once("close", () => {
    dispose(decoded);
    dispose(body);
  });
  return outer;
}

function dispose(stream: Readable): void {
  stream.on("error", () => {}).destroy();
}

function parseStrongEtag(etag: string | string[] | undefined): string | null {
  return typeof etag === "string" && /^"[^"]*"$/.test(etag) ? etag : null;
}

function parseContentLength(contentLength: string | string[] | undefined): number | undefined {
  return typeof contentLength === "string" && /^\d+$/.test(contentLength) ? Number(contentLength) : undefined;
}

/** Parses `bytes FIRST-LAST/TOTAL`. `FIRST-LAST` is `*` with status 416; an unknown `TOTAL` is `*`. */
function parseContentRange(
  header: string | string[] | undefined,
): { start: number | undefined; total: number | undefined } | undefined {
  const [, start, total] = /^bytes\s+(?:(\d+)-\d+|\*)\/(\d+|\*)$/i.exec(String(header).trim()) ?? [];
  if (total === undefined) return undefined;
  return {
    start: start === undefined ? undefined : Number(start),
    total: total === "*" ? undefined : Number(total),
  };
}
