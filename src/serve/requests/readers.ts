import { LRUCache } from "lru-cache";
import { DataFolder, ownFolderOf } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { listOwnReports } from "../../report/own/list-own-reports.ts";
import type { OwnReport } from "../../report/own/own-report.ts";
import { rememberRows } from "../../report/published/known-rows.ts";
import { listLastRuns, readByReports } from "../../report/published/state-of-runs.ts";
import type { Run } from "../../state/data/runs.ts";
import { monotonicMs } from "../../util/clock.ts";
import { Refusal } from "../refusal.ts";
import type { VersionLease, VersionPool } from "../versions/version-pool.ts";
import type { ViewParameters } from "./view-parameters.ts";

/** A download holds a reader until it ends, and pages need some, too. */
const mostDownloads = 4;
const shownRuns = 5;

/** Input of a view. */
export interface Shown {
  taken: VersionLease;
  /** Version in the address. */
  asOf: string | undefined;
  now: Date;
  own: readonly OwnReport[];
  /** The last runs on this machine, newest first. */
  listRuns(): Promise<readonly Run[]>;
}

export interface Download {
  type: string;
  fileName: string;
  pieces: AsyncIterable<string | Uint8Array>;
}

/** Milliseconds. */
export interface ReaderLimits {
  /** Longest time until a response begins. */
  answerMs: number;
  /** Longest pause of a download; otherwise a suspended computer would hold its place forever. */
  pauseMs: number;
}

const usualLimits: ReaderLimits = { answerMs: 30_000, pauseMs: 300_000 };

/** Gives each request a version to read from until it ends or reaches its time limit. */
export class Readers {
  readonly #pool: VersionPool;
  readonly #folder: DataFolder;
  readonly #ownFolder: string;
  readonly #now: () => Date;
  readonly #closing: AbortSignal;
  readonly #limits: ReaderLimits;
  readonly #made = new MadePages(monotonicMs);
  #downloads = 0;

  /** @param closing ends every request */
  constructor(
    pool: VersionPool,
    settings: Settings,
    now: () => Date,
    closing: AbortSignal,
    limits: ReaderLimits = usualLimits,
  ) {
    this.#pool = pool;
    this.#folder = new DataFolder(settings.get("VENUE_DATA_DIR"));
    this.#ownFolder = ownFolderOf(settings);
    this.#now = now;
    this.#closing = closing;
    this.#limits = limits;
  }

  /** @param address of the page, with its parameters */
  async show(
    asked: ViewParameters,
    address: string,
    make: (shown: Shown) => Promise<string>,
  ): Promise<string> {
    const current = await this.#pool.findCurrent();
    // No page shows a version that is no longer kept, however new the page is.
    const isKept = asked.asOf === undefined || (await this.#pool.isKept(asked.asOf));
    // Others may wait for the same page, so it is made even if the first reader has left.
    return await this.#made.get(`${current} ${isKept} ${address}`, () => this.read(asked, make));
  }

  /** Reads something for this request alone. */
  async read<T>(asked: Pick<ViewParameters, "asOf">, make: (shown: Shown) => Promise<T>): Promise<T> {
    const limit = AbortSignal.timeout(this.#limits.answerMs);
    const taken = await this.#take(asked, [limit, this.#closing]);
    try {
      const mart = rememberRows(taken.mart, taken.known);
      return await make(this.#shown({ ...taken, mart }, asked)).catch((error) => this.#rethrowLate(error));
    } finally {
      taken.release();
    }
  }

  /** Streams rows as they come. The time limit ends with the first of them. */
  async download(
    asked: ViewParameters,
    leaving: AbortSignal,
    make: (shown: Shown) => Promise<Download>,
  ): Promise<Response> {
    if (this.#downloads >= mostDownloads) {
      throw new Refusal(503, `${mostDownloads} downloads are in progress. Try again when one has finished.`, {
        "Retry-After": "10",
      });
    }
    this.#downloads += 1;
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new DOMException("late", "TimeoutError")),
      this.#limits.answerMs,
    );
    let taken: VersionLease | undefined;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      taken?.release();
      this.#downloads -= 1;
    };
    try {
      taken = await this.#take(asked, [leaving, late.signal, this.#closing]);
      const { type, fileName, pieces } = await make(this.#shown(taken, asked));
      const bytes = eachBytes(pieces, end);
      const first = await bytes.next();
      clearTimeout(timer);
      return new Response(streamOf(first, bytes, this.#limits.pauseMs), {
        headers: { "Content-Type": type, "Content-Disposition": `attachment; filename="${fileName}"` },
      });
    } catch (error) {
      end();
      return this.#rethrowLate(error);
    }
  }

  async #take({ asOf }: Pick<ViewParameters, "asOf">, signals: AbortSignal[]): Promise<VersionLease> {
    try {
      const taken = await this.#pool.take(asOf, AbortSignal.any(signals));
      return { ...taken, mart: readByReports(taken.mart) };
    } catch (error) {
      return this.#rethrowLate(error);
    }
  }

  #rethrowLate(error: unknown): never {
    if (error instanceof DOMException && error.name === "TimeoutError") {
      const seconds = this.#limits.answerMs / 1000;
      throw new Refusal(503, `This took more than ${seconds} s. Choose a shorter period or fewer rows.`);
    }
    throw error;
  }

  #shown(taken: VersionLease, { asOf }: Pick<ViewParameters, "asOf">): Shown {
    return {
      taken,
      asOf: taken.gone === undefined ? asOf : undefined,
      now: this.#now(),
      own: listOwnReports(this.#ownFolder),
      listRuns: () => listLastRuns(this.#folder.stateFile, shownRuns),
    };
  }
}

/** @param end called when everything is read or the reader has left, if the first piece was requested */
async function* eachBytes(
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

/** Streams `bytes`, and ends them if the reader leaves or pauses for too long; the rest is then missing. */
function streamOf(
  first: IteratorResult<Uint8Array, void>,
  bytes: AsyncGenerator<Uint8Array, void>,
  pauseMs: number,
): ReadableStream<Uint8Array> {
  let given: typeof first | undefined = first;
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
        const { value, done } = given ?? (await bytes.next());
        given = undefined;
        if (done) return controller.close();
        controller.enqueue(value);
        awaitReader(controller);
      },
      async cancel() {
        clearTimeout(pause);
        await bytes.return();
      },
    },
    // Nothing is read ahead.
    { highWaterMark: 0 },
  );
}

/** How long a page is reused: what it shows of ages and runs is at most that old. */
const keptMs = 20_000;
const mostPages = 60;

/** Pages requested recently, so that simultaneous readers, going back and reloading get them immediately. */
class MadePages {
  readonly #pages: LRUCache<string, Promise<string>>;

  constructor(monotonicMs: () => number) {
    this.#pages = new LRUCache({ max: mostPages, ttl: keptMs, ttlResolution: 0, perf: { now: monotonicMs } });
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
