import { LRUCache } from "lru-cache";
import { customFolderOf, DataFolder } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { formatAddress, type Link } from "../report/address/address.ts";
import { pinVersion, type ViewParameters } from "../report/address/view-parameters.ts";
import type { CustomReport } from "../report/custom/custom-report.ts";
import { hasCustomPage, listCustomReports } from "../report/custom/list-custom-reports.ts";
import type { FreshnessLimits } from "../report/findings/stale-sources.ts";
import { listLastRuns, withOutdatedErrors } from "../report/published/run-state.ts";
import type { Run } from "../state/data/runs.ts";
import type { Share } from "../state/data/shares.ts";
import { monotonicMs } from "../util/clock.ts";
import { Refusal } from "./refusal.ts";
import { isSharedAddress } from "./shares/shared-views.ts";
import type { VersionLease, VersionPool } from "./versions/version-pool.ts";

/** Maximum concurrent downloads. Each holds a reader until it ends, and pages need readers too. */
const maxDownloads = 4;
const maxRuns = 5;

/** Input of a view. */
export interface ViewContext {
  lease: VersionLease;
  /** Version requested in the address; absent for the current one. */
  asOf: string | undefined;
  now: Date;
  /** Returns the URL of an address in this version; `undefined` if the reader may not see it. */
  link: Link;
  /** The customer token of the request; absent for the operator. */
  share: Share | undefined;
  /** Empty for a customer. */
  custom: readonly CustomReport[];
  /** From `VENUE_FRESHNESS`. */
  freshness: FreshnessLimits;
  /** The last runs on this machine, newest first. */
  listRuns(): Promise<readonly Run[]>;
}

export interface Download {
  type: string;
  fileName: string;
  pieces: AsyncIterable<string | Uint8Array>;
}

/** Time limits in milliseconds. */
export interface ReaderLimits {
  /** Longest time until a response begins. */
  responseMs: number;
  /** Longest pause of a download. Without a limit, a suspended computer would occupy its slot forever. */
  pauseMs: number;
}

const defaultLimits: ReaderLimits = { responseMs: 30_000, pauseMs: 300_000 };

interface ReadersOptions {
  pool: VersionPool;
  settings: Settings;
  now: () => Date;
  /** Aborting it ends every request. */
  closing: AbortSignal;
  /** The customer token to whose rows the pool's versions are limited. @default everything */
  share?: Share | undefined;
  limits?: ReaderLimits;
}

/** Gives each request a version to read from until the request ends or reaches its time limit. */
export class Readers {
  readonly #pool: VersionPool;
  readonly #share: Share | undefined;
  readonly #folder: DataFolder;
  readonly #customFolder: string;
  readonly #freshness: FreshnessLimits;
  readonly #now: () => Date;
  readonly #closing: AbortSignal;
  readonly #limits: ReaderLimits;
  readonly #pages = new PageCache(monotonicMs);
  #downloads = 0;

  constructor({ pool, settings, now, closing, share, limits = defaultLimits }: ReadersOptions) {
    this.#pool = pool;
    this.#share = share;
    this.#folder = new DataFolder(settings.get("VENUE_DATA_DIR"));
    this.#customFolder = customFolderOf(settings);
    this.#freshness = settings.get("VENUE_FRESHNESS");
    this.#now = now;
    this.#closing = closing;
    this.#limits = limits;
  }

  /**
   * Returns a page, cached if it was requested recently.
   * @param address the page's address with its parameters
   */
  async show(
    parameters: ViewParameters,
    address: string,
    make: (context: ViewContext) => Promise<string>,
  ): Promise<string> {
    const current = await this.#pool.findCurrent();
    // Part of the cache key, so that a cached page of a removed version is not shown again.
    const isKept = parameters.asOf === undefined || (await this.#pool.isKept(parameters.asOf));
    // The first request's signal is not passed on, because other requests may be waiting for the same page.
    return await this.#pages.get(`${current} ${isKept} ${address}`, () => this.read(parameters, make));
  }

  /** Returns true if the current version can be read. */
  async isHealthy(): Promise<boolean> {
    try {
      return await this.read({}, async () => true);
    } catch {
      return false;
    }
  }

  /** Reads from a version without the page cache. */
  async read<T>(
    parameters: Pick<ViewParameters, "asOf">,
    make: (context: ViewContext) => Promise<T>,
  ): Promise<T> {
    const limit = AbortSignal.timeout(this.#limits.responseMs);
    const lease = await this.#take(parameters, [limit, this.#closing]);
    try {
      return await make(this.#context(lease, parameters)).catch((error) => this.#rethrowTimeout(error));
    } finally {
      lease.release();
    }
  }

  /** Streams a download's rows as they are read. The time limit applies until the first bytes. */
  async download(
    parameters: ViewParameters,
    signal: AbortSignal,
    make: (context: ViewContext) => Promise<Download>,
  ): Promise<Response> {
    if (this.#downloads >= maxDownloads) {
      throw new Refusal(503, `${maxDownloads} downloads are in progress. Try again when one has finished.`, {
        "Retry-After": "10",
      });
    }
    this.#downloads += 1;
    const timeout = new AbortController();
    const timer = setTimeout(
      () => timeout.abort(new DOMException("late", "TimeoutError")),
      this.#limits.responseMs,
    );
    let lease: VersionLease | undefined;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      lease?.release();
      this.#downloads -= 1;
    };
    try {
      lease = await this.#take(parameters, [signal, timeout.signal, this.#closing]);
      const { type, fileName, pieces } = await make(this.#context(lease, parameters));
      const bytes = encodePieces(pieces, end);
      const first = await bytes.next();
      clearTimeout(timer);
      return new Response(createStream(first, bytes, this.#limits.pauseMs), {
        headers: { "Content-Type": type, "Content-Disposition": `attachment; filename="${fileName}"` },
      });
    } catch (error) {
      end();
      return this.#rethrowTimeout(error);
    }
  }

  async #take({ asOf }: Pick<ViewParameters, "asOf">, signals: AbortSignal[]): Promise<VersionLease> {
    try {
      const lease = await this.#pool.take(asOf, AbortSignal.any(signals));
      return { ...lease, mart: withOutdatedErrors(lease.mart) };
    } catch (error) {
      return this.#rethrowTimeout(error);
    }
  }

  #rethrowTimeout(error: unknown): never {
    if (error instanceof DOMException && error.name === "TimeoutError") {
      const seconds = this.#limits.responseMs / 1000;
      throw new Refusal(503, `This took more than ${seconds} s. Choose a shorter period or fewer rows.`);
    }
    throw error;
  }

  #context(lease: VersionLease, { asOf }: Pick<ViewParameters, "asOf">): ViewContext {
    return {
      lease,
      asOf: lease.removed === undefined ? asOf : undefined,
      now: this.#now(),
      link: (address) =>
        this.#share === undefined || isSharedAddress(this.#share, address.view)
          ? `/${formatAddress(pinVersion(address, lease.mart.version))}`
          : undefined,
      share: this.#share,
      custom: this.#share === undefined ? listCustomReports(this.#customFolder).filter(hasCustomPage) : [],
      freshness: this.#freshness,
      listRuns: async () =>
        this.#share === undefined ? await listLastRuns(this.#folder.stateFile, maxRuns) : [],
    };
  }
}

/** @param end called once reading has begun and then finished, or the client has left */
async function* encodePieces(
  pieces: AsyncIterable<string | Uint8Array>,
  end: () => void,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  try {
    for await (const piece of pieces) yield typeof piece === "string" ? encoder.encode(piece) : piece;
  } finally {
    end();
  }
}

/** Streams `bytes`. If the client leaves or pauses for too long, the stream ends early and is incomplete. */
function createStream(
  first: IteratorResult<Uint8Array, void>,
  bytes: AsyncGenerator<Uint8Array, void>,
  pauseMs: number,
): ReadableStream<Uint8Array> {
  let pending: typeof first | undefined = first;
  let pause: NodeJS.Timeout | undefined;
  const awaitReader = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    pause = setTimeout(() => {
      controller.error(new Error(`the client read nothing for ${pauseMs / 1000} s`));
      bytes.return().catch(() => {});
    }, pauseMs).unref();
  };
  return new ReadableStream(
    {
      start: awaitReader,
      async pull(controller) {
        clearTimeout(pause);
        const { value, done } = pending ?? (await bytes.next());
        pending = undefined;
        if (done) return controller.close();
        controller.enqueue(value);
        awaitReader(controller);
      },
      async cancel() {
        clearTimeout(pause);
        await bytes.return();
      },
    },
    // No bytes are read ahead of the client.
    { highWaterMark: 0 },
  );
}

/** Lifetime of a cached page. The ages and runs on it can be outdated by up to this time. */
const pageTtlMs = 20_000;
const maxPages = 60;

/**
 * Cache of recently requested pages, which makes reloading and going back immediate, and renders a page only
 * once for simultaneous readers.
 */
class PageCache {
  readonly #pages: LRUCache<string, Promise<string>>;

  constructor(monotonicMs: () => number) {
    this.#pages = new LRUCache({
      max: maxPages,
      ttl: pageTtlMs,
      ttlResolution: 0,
      perf: { now: monotonicMs },
    });
  }

  /** @param key everything that the page depends on, except the time */
  async get(key: string, make: () => Promise<string>): Promise<string> {
    const known = this.#pages.get(key);
    if (known) return await known;
    const page = make();
    this.#pages.set(key, page);
    try {
      return await page;
    } catch (error) {
      if (this.#pages.peek(key) === page) this.#pages.delete(key);
      throw error;
    }
  }
}
