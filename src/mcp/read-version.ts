import { Sema } from "async-sema";
import { customLimitsOf } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { limitCustom } from "../mart/custom/custom-file.ts";
import type { CustomReport } from "../report/custom/custom-report.ts";
import type { PublishedMart } from "../report/published/published-mart.ts";
import { withVersionOf } from "../report/published/with-version-of.ts";
import type { Logger } from "../util/logger.ts";
import { QueryLimits } from "../util/query-limits.ts";
import { countOf } from "../util/text/words.ts";
import type { VenueError } from "../util/venue-error.ts";

export interface ReaderOptions {
  settings: Settings;
  logger: Logger;
  /** Maximum time for one answer. */
  maxMinutes: number;
  /** Ends the program immediately, because an answer exceeded a limit and did not stop. */
  end(error: VenueError): void;
}

interface ReadOptions {
  /** A retained version, e.g. `v000007`. @default the current one */
  asOf: string | undefined;
  signal: AbortSignal;
  /** The custom report to read, which has separate limits. */
  custom?: CustomReport | undefined;
}

export type ReadVersion = <Result>(
  options: ReadOptions,
  body: (mart: PublishedMart) => Promise<Result>,
) => Promise<Result>;

/**
 * Opens the current version for each answer, so that it reflects the latest publish. Answers are computed one at a
 * time, because each may use all the memory of `VENUE_MEMORY_LIMIT`.
 */
export function createReader({ settings, logger, maxMinutes, end }: ReaderOptions): ReadVersion {
  const turns = new Sema(1);
  return async ({ asOf, signal: cancelled, custom }, body) => {
    await turns.acquire();
    const bounds = custom
      ? limitCustom(custom, customLimitsOf(settings), end)
      : new QueryLimits({
          memoryLimit: settings.get("VENUE_MEMORY_LIMIT"),
          maxMs: maxMinutes * 60_000,
          tooLong: `The answer was not ready within ${countOf(maxMinutes, "minute")}, and was stopped. Narrow the request, or start venue mcp with a larger --max-minutes.`,
          end,
        });
    try {
      const signal = AbortSignal.any([cancelled, bounds.signal]);
      signal.throwIfAborted();
      return await withVersionOf(settings, { asOf, signal, logger }, body);
    } finally {
      bounds.stop();
      turns.release();
    }
  };
}
