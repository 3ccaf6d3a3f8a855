import type { ResponseCache } from "../../state/client/response-cache.ts";
import type { Clock } from "../../util/clock.ts";
import { parseHttpDate } from "../../util/http-values.ts";
import type { ApiRequest, Production, Sending } from "./request.ts";
import type { Secrets } from "./secrets.ts";
import type { ServiceAddress } from "./service-address.ts";

type Headers = Record<string, string | string[] | undefined>;

export interface CacheHit {
  text: string;
  headers: Record<string, string>;
  /** True if the response may be used without contacting the service. */
  isFresh: boolean;
  /** Request headers for confirming a stale response (304); empty if the service can't confirm it. */
  conditions: Record<string, string>;
  production: Production;
}

/** Longer texts are not cached. */
const maxBytes = 1024 * 1024;
/** Time for which a stale response is kept, because the service may confirm that it is unchanged. */
const confirmableMs = 24 * 3_600_000;
/** Maximum value of `Age`. Larger values are capped, because no useful cache keeps a response for longer. */
const maxAgeSeconds = 7 * 24 * 3600;

/** Header that we add to a cached response: the time it was produced, in epoch milliseconds. */
const producedHeader = "x-venue-produced-at";
/** The only headers that are cached, because others may contain secrets. */
const cachedHeaders = ["cache-control", "etag", "expires", "last-modified"];

/**
 * Caches one client's responses for all processes, if the service allows it (Cache-Control). Never fails,
 * because anything that can't be cached is fetched again.
 */
export class HttpCache {
  readonly #responses: ResponseCache;
  readonly #address: ServiceAddress;
  readonly #secrets: Secrets;
  readonly #clock: Clock;

  constructor(responses: ResponseCache, address: ServiceAddress, secrets: Secrets, clock: Clock) {
    this.#responses = responses;
    this.#address = address;
    this.#secrets = secrets;
    this.#clock = clock;
  }

  find(request: ApiRequest): CacheHit | undefined {
    if (!isCacheable(request)) return undefined;
    const cached = ignoreFailure(() => this.#responses.find(this.#urlOf(request.path)));
    if (!cached) return undefined;
    const { body: text, headers, keptAt, staleAt } = cached;
    const { etag, "last-modified": lastModified } = headers;
    return {
      text,
      headers,
      isFresh: Date.now() < staleAt,
      conditions: {
        ...(etag === undefined ? {} : { "if-none-match": etag }),
        ...(lastModified === undefined ? {} : { "if-modified-since": lastModified }),
      },
      production: { at: capAtNow(Number(headers[producedHeader] ?? keptAt), this.#clock), isReused: true },
    };
  }

  /** Caches the text of a response if its headers allow it and it contains no secret. */
  keep(
    request: ApiRequest,
    { status, headers, text }: { status: number; headers: Headers; text: string },
    { sentAt, sentNow }: Sending,
  ): void {
    const lifetimeMs = parseLifetimeMs(headers);
    const isConfirmable = headers.etag !== undefined || headers["last-modified"] !== undefined;
    if (!isCacheable(request) || status !== 200 || lifetimeMs === undefined) return;
    if (lifetimeMs <= 0 && !isConfirmable) return;
    if (Buffer.byteLength(text) > maxBytes || this.#secrets.occurIn(text)) return;
    const staleAt = sentAt + lifetimeMs;
    const kept = cachedHeaders.flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    );
    const produced = [producedHeader, String(sentNow - parseAgeMs(headers))];
    ignoreFailure(() =>
      this.#responses.keep(this.#urlOf(request.path), {
        body: text,
        headers: Object.fromEntries([...kept, produced]),
        keptAt: sentAt,
        staleAt,
        deleteAt: staleAt + (isConfirmable ? confirmableMs : 0),
      }),
    );
  }

  /**
   * Extends the lifetime of a cached response that the service has confirmed (304).
   * @returns `undefined` if the service confirmed a different version; the cached one is removed
   */
  renew(request: ApiRequest, cached: CacheHit, headers: Headers, sending: Sending): CacheHit | undefined {
    const { text, headers: before } = cached;
    if (headers.etag !== undefined && normalizeTag(headers.etag) !== normalizeTag(before.etag)) {
      this.remove(request.path);
      return undefined;
    }
    const renewed = { ...before, ...headers };
    this.keep(request, { status: 200, headers: renewed, text }, sending);
    return { ...cached, production: computeProduction(headers, sending, this.#clock) };
  }

  /** @param path absolute, with its query */
  remove(path: string): void {
    ignoreFailure(() => this.#responses.remove(this.#urlOf(path)));
  }

  /** Clears the cache, because after a command any cached response may be outdated. */
  clear(): void {
    ignoreFailure(() => this.#responses.clear());
  }

  #urlOf(path: string): string {
    return `${this.#address.origin}${path}`;
  }
}

/**
 * Computes the time of production: the time at which the request was sent, minus the `Age` reported by a shared
 * cache.
 */
export function computeProduction(headers: Headers, { sentNow }: Sending, clock: Clock): Production {
  return { at: capAtNow(sentNow - parseAgeMs(headers), clock), isReused: headers.age !== undefined };
}

/** Caps an instant at now, because the clock may have been set back since. */
function capAtNow(instantMs: number, clock: Clock): Date {
  return new Date(Math.min(instantMs, clock.now().getTime()));
}

function isCacheable({ method, isFresh }: ApiRequest): boolean {
  return method === "GET" && !isFresh;
}

/** Returns how long a response stays fresh, in ms; `undefined` if it must not be cached. */
function parseLifetimeMs(headers: Headers): number | undefined {
  const control = String(headers["cache-control"]);
  // Other values of `Vary` don't matter: all requests of a client have the same headers.
  if (/\bno-store\b/i.test(control) || String(headers.vary).includes("*")) return undefined;
  if (/\bno-cache\b/i.test(control)) return 0;
  const [, seconds] = /\bmax-age="?(\d+)/i.exec(control) ?? [];
  if (seconds !== undefined) return Number(seconds) * 1000 - parseAgeMs(headers);
  const expires = parseHttpDate(String(headers.expires));
  const date = parseHttpDate(String(headers.date)) ?? Date.now();
  return expires === undefined ? undefined : expires - date - parseAgeMs(headers);
}

/** Returns the age in ms, or 0 if the header is missing or isn't a number of seconds. */
function parseAgeMs({ age }: Headers): number {
  const [text = ""] = [age].flat();
  return /^\d+$/.test(text) ? Math.min(Number(text), maxAgeSeconds) * 1000 : 0;
}

/** Ignores whether a tag is weak, because proxies weaken the tags of responses that they compress. */
function normalizeTag(etag: string | string[] | undefined): string {
  return String(etag).replace(/^W\//, "");
}

/**
 * Returns `undefined` if the state file is closed, full or locked, because the cache is only an optimization.
 */
function ignoreFailure<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
