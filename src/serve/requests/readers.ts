import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { rememberRows } from "../../report/published/known-rows.ts";
import { listLastRuns, readByReports } from "../../report/published/state-of-runs.ts";
import type { Run } from "../../state/data/runs.ts";
import { monotonicMs } from "../../util/clock.ts";
import { Refusal } from "../refusal.ts";
import type { TakenVersion, VersionPool } from "../versions/version-pool.ts";
import type { Asked } from "./asked-view.ts";

/** Each holds a reader for as long as it takes; pages need some, too. */
const mostDownloads = 4;
const shownRuns = 5;

/** What a view is made from. */
export interface Shown {
  taken: TakenVersion;
  /** The version that the address names. */
  asOf: string | undefined;
  now: Date;
  /** The last runs on this machine, newest first. */
  listRuns(): Promise<readonly Run[]>;
}

export interface Download {
  type: string;
  fileName: string;
  pieces: AsyncIterable<string | Uint8Array>;
}

/** In milliseconds. */
export interface ReaderLimits {
  /** Until an answer begins. */
  answerMs: number;
  /** Until who downloads reads on: a computer that was put to sleep holds a place, and says nothing. */
  pauseMs: number;
}

const usualLimits: ReaderLimits = { answerMs: 30_000, pauseMs: 300_000 };

/** Gives each request a version to read from, for as long as it may take. */
export class Readers {
  readonly #pool: VersionPool;
  readonly #folder: DataFolder;
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
    this.#now = now;
    this.#closing = closing;
    this.#limits = limits;
  }

  /** @param address of the page, with its parameters */
  async show(asked: Asked, address: string, make: (shown: Shown) => Promise<string>): Promise<string> {
    const current = await this.#pool.findCurrent();
    // A version that is no longer kept is shown by no page, however new.
    const isKept = asked.asOf === undefined || (await this.#pool.isKept(asked.asOf));
    // Others may wait for the same page: it is made even when who asked first has gone.
    return await this.#made.get(`${current} ${isKept} ${address}`, () => this.read(asked, make));
  }

  /** What is kept for nobody else. */
  async read<T>(asked: Pick<Asked, "asOf">, make: (shown: Shown) => Promise<T>): Promise<T> {
    const limit = AbortSignal.timeout(this.#limits.answerMs);
    const taken = await this.#take(asked, [limit, this.#closing]);
    try {
      const mart = rememberRows(taken.mart, taken.known);
      return await make(this.#shown({ ...taken, mart }, asked)).catch((error) => this.#rethrowLate(error));
    } finally {
      taken.release();
    }
  }

  /** Rows while they come: the limit holds until the first of them. */
  async download(
    asked: Asked,
    leaving: AbortSignal,
    make: (shown: Shown) => Promise<Download>,
  ): Promise<Response> {
    if (this.#downloads >= mostDownloads) {
      throw new Refusal(503, `${mostDownloads} downloads are under way. Try again when one has ended.`, {
        "Retry-After": "10",
      });
    }
    this.#downloads += 1;
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new DOMException("late", "TimeoutError")),
      this.#limits.answerMs,
    );
    let taken: TakenVersion | undefined;
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

  async #take({ asOf }: Pick<Asked, "asOf">, signals: AbortSignal[]): Promise<TakenVersion> {
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
      throw new Refusal(503, `This took more than ${seconds} s. Ask for less: a shorter period, fewer rows.`);
    }
    throw error;
  }

  #shown(taken: TakenVersion, { asOf }: Pick<Asked, "asOf">): Shown {
    return {
      taken,
      asOf: taken.gone === undefined ? asOf : undefined,
      now: this.#now(),
      listRuns: () => listLastRuns(this.#folder.stateFile, shownRuns),
    };
  }
}

/** @param end called when all is read or nobody reads any more, once the first piece was asked for */
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

/**
 * Ends `bytes`, which has begun, also for who leaves before anything is read: a generator that has not begun has no end. So it
 * does for who pauses for too long, and finds the rest missing.
 */
function streamOf(
  first: IteratorResult<Uint8Array, void>,
  bytes: AsyncGenerator<Uint8Array, void>,
  pauseMs: number,
): ReadableStream<Uint8Array> {
  let given: typeof first | undefined = first;
  let isGivenUp = false;
  const giveUp = () => {
    isGivenUp = true;
    bytes.return().catch(() => {});
  };
  let pause = setTimeout(giveUp, pauseMs).unref();
  const iterator = {
    async next() {
      clearTimeout(pause);
      if (isGivenUp) throw new Error(`nobody read on for ${pauseMs / 1000} s`);
      const next = given ?? (await bytes.next());
      given = undefined;
      if (!next.done) pause = setTimeout(giveUp, pauseMs).unref();
      return next;
    },
    return: () => {
      clearTimeout(pause);
      return bytes.return();
    },
  };
  return ReadableStream.from({ [Symbol.asyncIterator]: () => iterator }) as ReadableStream<Uint8Array>;
}

/** How long a page is given to others as it was made: what it says of ages and runs is that old at most. */
const keptMs = 20_000;
const mostPages = 60;

interface MadePage {
  text: Promise<string>;
  /** Of the monotonic clock. */
  madeAtMs: number;
}

/** Pages that were asked for just now: who reads the same at the same time, goes back or reloads, has it at once. */
export class MadePages {
  /** Those made last come last. */
  readonly #pages = new Map<string, MadePage>();
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** @param key says all that the page depends on, but for the time */
  async get(key: string, make: () => Promise<string>): Promise<string> {
    const nowMs = this.#monotonicMs();
    const known = this.#pages.get(key);
    if (known && nowMs - known.madeAtMs < keptMs) return await known.text;
    const page = { text: make(), madeAtMs: nowMs };
    this.#pages.delete(key);
    this.#pages.set(key, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > mostPages && oldest !== undefined) this.#pages.delete(oldest);
    try {
      return await page.text;
    } catch (error) {
      if (this.#pages.get(key) === page) this.#pages.delete(key);
      throw error;
    }
  }
}
