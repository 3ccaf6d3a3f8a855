import {
  ConnectionFailedError,
  LinkRefusedError,
  RateLimitedError,
  ServiceFailedError,
} from "../../api/errors.ts";
import type { Clock } from "../../util/clock.ts";
import type { Logger } from "../../util/logger.ts";
import { VenueError } from "../../util/venue-error.ts";
import { type ExportFacts, findRule, initialExportFacts, limits } from "../export/export-policy.ts";
import { PartialDownload, type PartialDownloadOptions } from "./partial-download.ts";

interface FileDownloadOptions extends PartialDownloadOptions {
  clock: Clock;
  logger: Logger;
}

export interface DownloadFileOptions extends FileDownloadOptions {
  /** Returns a new link, which has not expired. */
  getLink(): Promise<string>;
}

/**
 * Downloads a file until it is proven to be complete, and then renames it to `path`. Received bytes are kept
 * across broken connections, expired links and restarts. Range requests resume after them.
 *
 * @returns its size in bytes
 * @throws {DownloadFailedError} if repeated attempts received no new bytes; bytes received so far are kept
 * @throws the errors of `getLink`
 */
export async function downloadFile(options: DownloadFileOptions): Promise<number> {
  const download = new FileDownload(options);
  let link: string | undefined;
  for (;;) {
    link ??= await options.getLink();
    const attempted = await download.attempt(link);
    if (attempted.response === "whole") return attempted.bytes;
    const { next } = findRule(["download", attempted.response], { ...initialExportFacts, ...download.facts });
    if (next !== "download" && next !== "poll") throw download.failure();
    if (next === "poll") link = undefined;
    await download.pause();
  }
}

type AttemptResult = { response: "whole"; bytes: number } | { response: "incomplete" | "linkExpired" };

/** Downloads a file in several attempts and tracks their progress. */
export class FileDownload {
  readonly #options: FileDownloadOptions;
  readonly #download: PartialDownload;
  /** Sizes of the part in bytes: before the first attempt, the maximum so far, and after the last attempt. */
  #begunBytes: number | undefined;
  #largestBytes = 0;
  #lastBytes = 0;
  #fruitlessAttempts = 0;
  #isPauseDue = false;
  #failure: VenueError | undefined;
  /** Latest failure, unless new bytes have been received since. */
  #lastFailure: VenueError | undefined;

  constructor(options: FileDownloadOptions) {
    this.#options = options;
    this.#download = new PartialDownload(options);
  }

  get facts(): Pick<ExportFacts, "fruitlessAttempts" | "beginnings" | "madeProgress"> {
    return {
      fruitlessAttempts: this.#fruitlessAttempts,
      beginnings: this.#download.beginnings,
      madeProgress: this.#madeProgress,
    };
  }

  /** Sends one request, either for missing bytes or for proof that no bytes are missing. */
  async attempt(link: string): Promise<AttemptResult> {
    const { logger, signal } = this.#options;
    this.#begunBytes ??= await this.#download.size();
    this.#largestBytes = Math.max(this.#largestBytes, this.#begunBytes);
    this.#failure = undefined;
    try {
      const isWhole = await this.#download.attempt(link, !this.#isLastResort());
      if (isWhole) return { response: "whole", bytes: await this.#download.finish() };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof VenueError) || error.category !== "service") throw error;
      this.#failure = error;
      logger.debug(`download interrupted, continuing: ${error.message}`);
    }
    await this.#countProgress();
    return { response: this.#failure instanceof LinkRefusedError ? "linkExpired" : "incomplete" };
  }

  /** Waits after an attempt without new bytes, at least as long as the server requested. */
  async pause(): Promise<void> {
    if (!this.#isPauseDue) return;
    this.#isPauseDue = false;
    const { clock, signal } = this.#options;
    const pauseMs = Math.min(250 * 2 ** this.#fruitlessAttempts, 20_000) * Math.random();
    await clock.sleep(Math.max(pauseMs, requestedPauseMs(this.#failure)), signal);
  }

  failure(): DownloadFailedError {
    return new DownloadFailedError(this.#options.path, this.#lastFailure, this.#madeProgress);
  }

  async #countProgress(): Promise<void> {
    const size = await this.#download.size();
    this.#lastBytes = size;
    this.#fruitlessAttempts = size > this.#largestBytes ? 0 : this.#fruitlessAttempts + 1;
    this.#largestBytes = Math.max(size, this.#largestBytes);
    if (this.#failure || this.#fruitlessAttempts === 0) this.#lastFailure = this.#failure;
    this.#isPauseDue = this.#fruitlessAttempts > 0;
    if (this.#isPauseDue && size > 0 && this.#failure instanceof ConnectionFailedError)
      this.#download.suspectEnd();
  }

  get #madeProgress(): boolean {
    return this.#lastBytes > (this.#begunBytes ?? 0);
  }

  /** Requests the whole file as a last resort, because some servers fail on Range requests. */
  #isLastResort(): boolean {
    const isLast = this.#fruitlessAttempts === limits.fruitlessAttempts - 1;
    return isLast && !(this.#lastFailure instanceof ConnectionFailedError);
  }
}

/** Returns the pause that the server requested, in milliseconds. */
function requestedPauseMs(failure: VenueError | undefined): number {
  const mayWork = failure instanceof RateLimitedError || failure instanceof ServiceFailedError;
  return (mayWork ? failure.retryAfterMs : undefined) ?? 0;
}

/** Repeated attempts at a download received no new bytes. */
export class DownloadFailedError extends VenueError {
  /** True if this run received bytes beyond those of earlier runs. */
  readonly madeProgress: boolean;
  /** Reason as a full sentence. */
  readonly reason: string;

  constructor(path: string, cause: VenueError | undefined, madeProgress: boolean) {
    const reason = cause?.message ?? "the server's responses disagree on the file's size.";
    super(
      "DOWNLOAD_FAILED",
      "service",
      `The download of ${path} is making no progress: ${reason} The part received so far is kept; run the same command again to resume.`,
      { cause },
    );
    this.madeProgress = madeProgress;
    this.reason = reason;
  }
}
