import {
  ConnectionFailedError,
  LinkRefusedError,
  RateLimitedError,
  ServiceFailedError,
} from "../../api/errors.ts";
import type { Clock } from "../../util/clock.ts";
import type { Logger } from "../../util/logger.ts";
import { VenueError } from "../../util/venue-error.ts";
import { PartialDownload, type PartialDownloadOptions } from "./partial-download.ts";

/** Attempts in a row that may get no further than any before. */
const fruitlessLimit = 8;
/** Times that a file may be begun from its start: what is thrown away again and again is no progress. */
const beginningLimit = 8;
/** So many fruitless ones are made with one link: an expired one may be answered with anything. */
const attemptsPerLink = 3;

export interface DownloadFileOptions extends PartialDownloadOptions {
  /** Asks the service for a link that is valid now. */
  getLink(): Promise<string>;
  clock: Clock;
  logger: Logger;
}

/**
 * Downloads a file until it is proven whole, then renames it to `path`. What arrived is kept over cut connections,
 * expired links and restarts of this program, and resumed by Range. How it is proven: `PartialDownload`.
 *
 * @returns its size in bytes
 * @throws {DownloadFailedError} when repeated attempts bring nothing more; what came is kept
 * @throws what `getLink` throws: it has tried again already
 */
export async function downloadFile(options: DownloadFileOptions): Promise<number> {
  const { clock, logger, signal } = options;
  const download = new PartialDownload(options);
  const begun = await download.size();
  let furthest = begun;
  let link: string | undefined;
  let lastFailure: VenueError | undefined;
  for (let fruitless = 0; ; ) {
    link ??= await options.getLink();
    let failure: VenueError | undefined;
    try {
      const isWhole = await download.attempt(link, !isLastResort(fruitless, lastFailure));
      if (isWhole) return await download.finish();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof VenueError) || error.category !== "service") throw error;
      failure = error;
      logger.debug(`download interrupted, goes on: ${failure.message}`);
    }
    const size = await download.size();
    fruitless = size > furthest ? 0 : fruitless + 1;
    furthest = Math.max(size, furthest);
    lastFailure = failure ?? (fruitless > 0 ? lastFailure : undefined);
    if (fruitless >= fruitlessLimit || download.beginnings > beginningLimit)
      throw new DownloadFailedError(options.path, lastFailure, size > begun);
    if (fruitless > 0) {
      if (size > 0 && failure instanceof ConnectionFailedError) download.suspectEnd();
      if (fruitless % attemptsPerLink === 0) link = undefined;
      const pauseMs = Math.min(250 * 2 ** fruitless, 20_000) * Math.random();
      await clock.sleep(Math.max(pauseMs, askedMs(failure)), signal);
    }
    if (failure instanceof LinkRefusedError) link = undefined;
  }
}

/** How long the server asked to wait. */
function askedMs(failure: VenueError | undefined): number {
  const mayWork = failure instanceof RateLimitedError || failure instanceof ServiceFailedError;
  return (mayWork ? failure.retryAfterMs : undefined) ?? 0;
}

/** Some servers fail when they are asked for a part. Asking for the whole may cost what is here: it is tried last. */
function isLastResort(fruitless: number, failure: VenueError | undefined): boolean {
  return fruitless === fruitlessLimit - 1 && !(failure instanceof ConnectionFailedError);
}

/** Repeated attempts at a download brought nothing more. */
export class DownloadFailedError extends VenueError {
  override readonly name = "DownloadFailedError";
  readonly code = "DOWNLOAD_FAILED";
  readonly category = "service";
  /** More is kept than there was before. */
  readonly broughtMore: boolean;
  /** Why, as a sentence. */
  readonly reason: string;

  constructor(path: string, cause: VenueError | undefined, broughtMore: boolean) {
    const reason = cause?.message ?? "the server's answers do not agree on where the file ends.";
    super(
      `The download of ${path} is making no progress: ${reason} What has arrived is kept: run the same command again, and it goes on from there.`,
      { cause },
    );
    this.broughtMore = broughtMore;
    this.reason = reason;
  }
}
