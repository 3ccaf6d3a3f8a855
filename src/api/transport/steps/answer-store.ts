import { Writable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import type { Dispatcher, interceptors } from "undici";
import type { KeptAnswer, KeptAnswers } from "../../../state/client/kept-answers.ts";
import type { Secrets } from "../secrets.ts";
import { producedHeader } from "./date-step.ts";

/** What undici's cache step keeps answers in. */
type CacheStore = NonNullable<NonNullable<Parameters<typeof interceptors.cache>[0]>["store"]>;
type CacheKey = Parameters<CacheStore["createWriteStream"]>[0];
type CacheValue = Parameters<CacheStore["createWriteStream"]>[1];
type CachedAnswer = Awaited<NonNullable<ReturnType<CacheStore["get"]>>>;

/** Longer ones are streamed past the cache. */
const longestBodyBytes = 1024 * 1024;

/** Of an answer's headers, those that its use or its renewal needs: others may hold what must not be kept. */
const keptHeaders = [
  "content-type",
  "cache-control",
  "date",
  "expires",
  "etag",
  "last-modified",
  producedHeader,
  "vary",
];

/**
 * Keeps the answers of one client in `client.db`: whole JSON documents of status 200 that contain no secret, and are
 * not longer than 1 MB. Never fails: what can't be kept is asked for again.
 */
export class AnswerStore implements CacheStore {
  readonly #answers: KeptAnswers;
  readonly #secrets: Secrets;

  constructor(answers: KeptAnswers, secrets: Secrets) {
    this.#answers = answers;
    this.#secrets = secrets;
  }

  get(key: CacheKey): CachedAnswer | undefined {
    const answer = this.#find(key);
    if (answer === undefined) return undefined;
    const { body, headers, vary, etag, directives, keptAt, staleAt, deleteAt } = answer;
    return {
      statusCode: 200,
      statusMessage: "OK",
      headers,
      ...(vary === undefined ? {} : { vary }),
      ...(etag === undefined ? {} : { etag }),
      // An array: it is walked by chunks, and a bare buffer would be by bytes.
      body: [Buffer.from(body)],
      cacheControlDirectives: directives,
      cachedAt: keptAt,
      staleAt,
      deleteAt,
    };
  }

  /** Whether a request would now be answered from here, without asking the service. */
  hasFresh({ origin, method, path, headers }: Dispatcher.DispatchOptions): boolean {
    const { authorization: _, ...rest } = headers as Record<string, string>;
    if (method !== "GET" || rest["cache-control"] !== undefined) return false;
    const answer = this.#find({ origin: String(origin), method, path, headers: rest });
    return answer !== undefined && Date.now() < answer.staleAt && answer.directives["no-cache"] !== true;
  }

  createWriteStream(key: CacheKey, value: CacheValue): Writable | undefined {
    if (value.statusCode !== 200 || String(value.headers["content-type"]).includes("html")) return undefined;
    if (!saysHowLong(value)) return undefined;
    // The time as of which it counts: its last byte may come much later.
    const receivedAt = Date.now();
    const chunks: Buffer[] = [];
    let bytes = 0;
    return new Writable({
      // It never asks to wait: on its account the step above would end waits that the reader asked for.
      highWaterMark: Number.MAX_SAFE_INTEGER,
      write: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length;
        if (bytes <= longestBodyBytes) chunks.push(chunk);
        else chunks.length = 0;
        done();
      },
      final: (done) => {
        if (bytes > longestBodyBytes) return done();
        try {
          this.#keep(key, value, Buffer.concat(chunks), receivedAt);
        } catch {
          // It is no JSON, or the file can't be written now.
        }
        done();
      },
    });
  }

  /**
   * Called when an answer does not hold any more, and after each request that changes something: that may have
   * changed anything, also what other addresses tell of it.
   */
  delete(key: CacheKey): void {
    try {
      if (key.method === "GET") this.#answers.remove(urlOf(key));
      else if (key.method === "POST" || key.method === "DELETE") this.#answers.clear();
    } catch {
      // The client was closed, or another process keeps the file locked: it is used until it is stale.
    }
  }

  #find(key: CacheKey): KeptAnswer | undefined {
    try {
      const answer = this.#answers.find(urlOf(key));
      return answer && isAlike(key.headers ?? {}, answer.vary ?? {}) ? answer : undefined;
    } catch {
      return undefined;
    }
  }

  /** Synchronous, so that who has read an answer to its end finds it here. */
  #keep(key: CacheKey, value: CacheValue, bytes: Buffer, receivedAt: number): void {
    const encoding = String(value.headers["content-encoding"] ?? "identity").toLowerCase();
    const body = decodeText(bytes, encoding);
    if (body === undefined) return;
    JSON.parse(body);
    if (this.#secrets.occurIn(body)) return;
    const headers = Object.fromEntries(
      keptHeaders.flatMap((name) => (value.headers[name] === undefined ? [] : [[name, value.headers[name]]])),
    );
    // Served while it is renewed behind our back, or where the service fails, an answer would be older than its age says.
    const {
      "stale-while-revalidate": _,
      "stale-if-error": __,
      ...directives
    } = value.cacheControlDirectives ?? {};
    const shiftMs = droppedMs(value.cachedAt, receivedAt);
    this.#answers.keep(urlOf(key), {
      body,
      headers,
      vary: value.vary,
      etag: value.etag,
      directives,
      keptAt: value.cachedAt + shiftMs,
      staleAt: value.staleAt + shiftMs,
      deleteAt: value.deleteAt + shiftMs,
    });
  }
}

/** @returns `undefined` when it is encoded in a way that was not asked for */
function decodeText(bytes: Buffer, encoding: string): string | undefined {
  if (encoding === "identity") return new TextDecoder().decode(bytes);
  if (encoding !== "gzip") return undefined;
  return new TextDecoder().decode(gunzipSync(bytes, { maxOutputLength: longestBodyBytes }));
}

/** Where the service does not, undici would guess: a tenth of the time since the answer last changed, which may be months. */
function saysHowLong({ headers, cacheControlDirectives: directives = {} }: CacheValue): boolean {
  return "max-age" in directives || directives["no-cache"] === true || headers.expires !== undefined;
}

/** `Date` counts whole seconds: by what it drops an answer would seem older than it is, and be asked for too early. */
function droppedMs(cachedAt: number, receivedAt: number): number {
  return Math.min(Math.max(receivedAt - cachedAt, 0), 999);
}

function urlOf({ origin, path }: CacheKey): string {
  return `${origin}${path}`;
}

function isAlike(
  headers: Readonly<Record<string, string | string[]>>,
  vary: NonNullable<KeptAnswer["vary"]>,
): boolean {
  return Object.entries(vary).every(([name, value]) => isDeepStrictEqual(headers[name] ?? null, value));
}
