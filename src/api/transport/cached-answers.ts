import type { ResponseCache } from "../../state/client/response-cache.ts";
import type { Clock } from "../../util/clock.ts";
import { parseHttpDate } from "../../util/http-values.ts";
import type { ApiRequest, Sending } from "./request.ts";
import type { Secrets } from "./secrets.ts";
import type { ServiceAddress } from "./service-address.ts";

type Headers = Record<string, string | string[] | undefined>;

/** The time at which the service produced a response. */
export interface Production {
  /** On the data's clock (see `VENUE_NOW`), as this machine runs it. */
  at: Date;
  /** The response came from a cache: ours, or one between us and the service. */
  isReused: boolean;
}

export interface CachedAnswer {
  text: string;
  headers: Record<string, string>;
  /** It may be used without contacting the service. */
  isFresh: boolean;
  /** Request headers that let the service confirm a stale response (304); empty if it can't. */
  conditions: Record<string, string>;
  production: Production;
}

/** Longer texts are not cached. */
const longestBytes = 1024 * 1024;
/** A stale response is kept this long for the service to confirm. */
const confirmableMs = 24 * 3_600_000;
/** Larger values of `Age` are capped at this: no useful cache holds a response for longer. */
const longestAgeSeconds = 7 * 24 * 3600;

/** Our own header of a cached response: the time it was produced, in epoch milliseconds. */
const producedHeader = "x-venue-produced-at";
/** The only headers kept: others may hold secrets. */
const keptHeaders = ["cache-control", "etag", "expires", "last-modified"];

/**
 * Caches the responses of one client that the service allows to be reused (Cache-Control), for all processes.
 * Never fails: anything that can't be cached is fetched again.
 */
export class CachedAnswers {
  readonly #answers: ResponseCache;
  readonly #address: ServiceAddress;
  readonly #secrets: Secrets;
  readonly #clock: Clock;

  constructor(answers: ResponseCache, address: ServiceAddress, secrets: Secrets, clock: Clock) {
    this.#answers = answers;
    this.#address = address;
    this.#secrets = secrets;
    this.#clock = clock;
  }

  find(request: ApiRequest): CachedAnswer | undefined {
    if (!isCacheable(request)) return undefined;
    const answer = attempt(() => this.#answers.find(this.#urlOf(request.path)));
    if (!answer) return undefined;
    const { body: text, headers, keptAt, staleAt } = answer;
    const { etag, "last-modified": lastModified } = headers;
    return {
      text,
      headers,
      isFresh: Date.now() < staleAt,
      conditions: {
        ...(etag === undefined ? {} : { "if-none-match": etag }),
        ...(lastModified === undefined ? {} : { "if-modified-since": lastModified }),
      },
      production: { at: notAfter(Number(headers[producedHeader] ?? keptAt), this.#clock), isReused: true },
    };
  }

  /** Caches the text of a response if its headers allow it and it contains no secret. */
  keep(
    request: ApiRequest,
    { status, headers, text }: { status: number; headers: Headers; text: string },
    { sentAt, sentNow }: Sending,
  ): void {
    const lifetimeMs = freshMs(headers);
    const isConfirmable = headers.etag !== undefined || headers["last-modified"] !== undefined;
    if (!isCacheable(request) || status !== 200 || lifetimeMs === undefined) return;
    if (lifetimeMs <= 0 && !isConfirmable) return;
    if (Buffer.byteLength(text) > longestBytes || this.#secrets.occurIn(text)) return;
    const staleAt = sentAt + lifetimeMs;
    const kept = keptHeaders.flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    );
    const produced = [producedHeader, String(sentNow - ageMs(headers))];
    attempt(() =>
      this.#answers.keep(this.#urlOf(request.path), {
        body: text,
        headers: Object.fromEntries([...kept, produced]),
        keptAt: sentAt,
        staleAt,
        deleteAt: staleAt + (isConfirmable ? confirmableMs : 0),
      }),
    );
  }

  /**
   * Renews a cached response that the service has confirmed (304), with the new lifetime.
   * @returns `undefined` if the service confirmed another version; the cached one is removed
   */
  renew(
    request: ApiRequest,
    cached: CachedAnswer,
    headers: Headers,
    sending: Sending,
  ): CachedAnswer | undefined {
    const { text, headers: before } = cached;
    if (headers.etag !== undefined && strongTag(headers.etag) !== strongTag(before.etag)) {
      this.remove(request.path);
      return undefined;
    }
    const renewed = { ...before, ...headers };
    this.keep(request, { status: 200, headers: renewed, text }, sending);
    return { ...cached, production: productionOf(headers, sending, this.#clock) };
  }

  /** @param path absolute, with its query */
  remove(path: string): void {
    attempt(() => this.#answers.remove(this.#urlOf(path)));
  }

  /** Clears the cache: after a command, any cached response may be outdated. */
  clear(): void {
    attempt(() => this.#answers.clear());
  }

  #urlOf(path: string): string {
    return `${this.#address.origin}${path}`;
  }
}

/** Computes the time of production: when the request was sent, less the `Age` that a shared cache reports. */
export function productionOf(headers: Headers, { sentNow }: Sending, clock: Clock): Production {
  return { at: notAfter(sentNow - ageMs(headers), clock), isReused: headers.age !== undefined };
}

/** Caps an instant at now, in case the clock has been set back since. */
function notAfter(instantMs: number, clock: Clock): Date {
  return new Date(Math.min(instantMs, clock.now().getTime()));
}

function isCacheable({ method, isFresh }: ApiRequest): boolean {
  return method === "GET" && !isFresh;
}

/** Returns how long a response stays fresh, in ms; `undefined` if it must not be cached. */
function freshMs(headers: Headers): number | undefined {
  const control = String(headers["cache-control"]);
  // Other values of `Vary` don't matter: all requests of a client have the same headers.
  if (/\bno-store\b/i.test(control) || String(headers.vary).includes("*")) return undefined;
  if (/\bno-cache\b/i.test(control)) return 0;
  const [, seconds] = /\bmax-age="?(\d+)/i.exec(control) ?? [];
  if (seconds !== undefined) return Number(seconds) * 1000 - ageMs(headers);
  const expires = parseHttpDate(String(headers.expires));
  const date = parseHttpDate(String(headers.date)) ?? Date.now();
  return expires === undefined ? undefined : expires - date - ageMs(headers);
}

/** Returns 0 if the header is missing or isn't a number of seconds. */
function ageMs({ age }: Headers): number {
  const [text = ""] = [age].flat();
  return /^\d+$/.test(text) ? Math.min(Number(text), longestAgeSeconds) * 1000 : 0;
}

/** A proxy's compression turns a strong tag into a weak one for the same response. */
function strongTag(etag: string | string[] | undefined): string {
  return String(etag).replace(/^W\//, "");
}

/** Returns `undefined` if the state file is closed, full or locked: the cache is an optimization. */
function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
