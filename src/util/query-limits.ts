import { VenueError } from "./venue-error.ts";

/** Interval between checks of memory use. */
const memoryCheckMs = 50;
/** Maximum time for DuckDB to stop. It can't stop while it computes one value, which may be gigabytes long. */
const graceMs = 1000;
/** Memory that a query needs in addition to DuckDB's, for the program and the buffers of output formats. */
const programBytes = 500_000_000;

interface QueryLimitOptions {
  /** DuckDB's limit, in the format of `VENUE_MEMORY_LIMIT`, e.g. `600MB` or `2 GiB`. */
  memoryLimit: string;
  maxMs: number;
  /** Message if the time limit is exceeded, with the next step. */
  tooLong: string;
  /** Ends the program immediately with this error if the query does not stop. @default waits for the query */
  end?: (error: VenueError) => void;
}

/** Ends a query that exceeds its time or memory limit. DuckDB doesn't check these while it computes one value. */
export class QueryLimits {
  /** Aborted with an error that contains the exceeded limit. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #timers: NodeJS.Timeout[];

  constructor({ memoryLimit, maxMs, tooLong, end }: QueryLimitOptions) {
    this.signal = this.#controller.signal;
    const maxMemoryBytes = parseSize(memoryLimit) + Math.max(programBytes, process.memoryUsage.rss());
    const exceed = (error: VenueError) => {
      this.stop();
      if (end) this.#timers.push(setTimeout(() => end(error), graceMs));
      this.#controller.abort(error);
    };
    this.#timers = [
      setTimeout(() => exceed(new VenueError("QUERY_TOO_LONG", "usage", tooLong)), maxMs),
      setInterval(() => {
        if (process.memoryUsage.rss() > maxMemoryBytes) exceed(queryTooLargeError(memoryLimit));
      }, memoryCheckMs),
    ];
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

/** @param size in the format of `VENUE_MEMORY_LIMIT`, e.g. `600MB` or `2 GiB` */
function parseSize(size: string): number {
  const [, number, unit = "", binary] = /^([\d.]+)\s*([KMGT])(i?)B$/i.exec(size) ?? [];
  return Number(number) * (binary ? 1024 : 1000) ** ("KMGT".indexOf(unit.toUpperCase()) + 1);
}

function queryTooLargeError(limit: string): VenueError {
  return new VenueError(
    "QUERY_TOO_LARGE",
    "usage",
    `The query took far more memory than VENUE_MEMORY_LIMIT (${limit}), and was stopped. Select fewer rows or columns, shorter ` +
      "texts and lists, or raise VENUE_MEMORY_LIMIT.",
  );
}
