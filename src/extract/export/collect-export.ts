import { existsSync } from "node:fs";
import { abortedDuringRequest, notReadyInTime } from "../../state/data/export-jobs.ts";
import { VenueError } from "../../util/venue-error.ts";
import { FileDownload } from "../download/download-file.ts";
import type { ExtractContext } from "../extract-context.ts";
import type { CollectResult } from "../extract-order.ts";
import { priority } from "../request-gate.ts";
import {
  type ExportFacts,
  findRule,
  initialExportFacts,
  isOutOfJobs,
  type NextAction,
  type Situation,
  type Step,
} from "./export-policy.ts";
import { exportPath, landExport } from "./land-export.ts";
import { ExportPolls } from "./poll-export.ts";
import { type AcceptedJob, type ExportSource, isTooOld, requestExport } from "./request-export.ts";

/**
 * Collects one group's history of one kind through an export: requests or resumes a job, polls it, downloads
 * the file and records it as a landing. `exportPolicy` defines the step that follows each response. Every step
 * is recorded, so that the next run can continue after a crash.
 * @throws {ExportGivenUpError} if the zones should be walked instead
 * @throws {ExportRefusedError} if the export should be retried after all other sources
 * @throws {VenueError} `EXPORT_UNANSWERED` if the response to the request was lost
 */
export async function collectExport(source: ExportSource, context: ExtractContext): Promise<CollectResult> {
  const run = new ExportRun(source, context);
  try {
    let outcome = run.start();
    for (;;) {
      const next = run.decide(outcome);
      if (next === "land") return await run.land();
      if (next === "request") outcome = await run.request();
      else if (next === "poll") outcome = await run.poll();
      else if (next === "download") outcome = await run.download();
      else throw run.errorOf(next, outcome);
    }
  } finally {
    run.closeJob();
  }
}

interface Outcome {
  situation: Situation;
  /** Record id of the job. */
  recordId?: number;
  /** Reason to record if the job ends. */
  reason?: string | undefined;
  error?: unknown;
}

/** One export in one run, with a method for each step. */
class ExportRun {
  readonly #source: ExportSource;
  readonly #context: ExtractContext;
  #facts: ExportFacts = { ...initialExportFacts };
  /** Reason why the last job of this run produced no file. */
  #lastError: string | null = null;
  #job: AcceptedJob | undefined;
  #polls: ExportPolls | undefined;
  #link = "";
  #download: FileDownload | undefined;
  #leaveDownloads: (() => void) | undefined;
  #downloadStartedMs = 0;
  #receivedBytes = 0;

  constructor(source: ExportSource, context: ExtractContext) {
    this.#source = source;
    this.#context = context;
  }

  /** Looks for a job that an earlier run left open. */
  start(): Outcome {
    const { service, state, clock, logger } = this.#context;
    const { kind, groupId } = this.#source;
    this.#readFacts();
    if (isOutOfJobs(this.#facts)) return { situation: ["start", "outOfJobs"] };
    const job = state.exportJobs.findOpen(service, kind, groupId);
    if (!job) return { situation: ["start", "noJob"] };
    const { id: recordId, job_id, error } = job;
    if (job_id === null)
      return { situation: ["start", "requestCutOff"], recordId, reason: abortedDuringRequest };
    this.#facts.jobFailedBefore = error !== null;
    if (isTooOld(job, clock.now()))
      return { situation: ["start", "jobTooOld"], recordId, reason: error ?? "too old to be useful" };
    logger.info(`${kind} of group ${groupId}: resuming export ${job_id} of an earlier run`);
    this.#openJob({ ...job, job_id, isResumed: true });
    const isWhole = existsSync(exportPath(job, this.#context));
    return { situation: ["start", isWhole ? "fileWhole" : "jobOpen"], recordId };
  }

  async request(): Promise<Outcome> {
    this.closeJob();
    this.#readFacts();
    const requested = await requestExport(this.#source, this.#context);
    const { response, job } = requested;
    const outcome: Outcome = { situation: ["request", response], recordId: job.id };
    if (response !== "accepted") return { ...outcome, reason: requested.reason, error: requested.error };
    this.#openJob(requested.job);
    return outcome;
  }

  /** Polls once. Starts a new series of polls if a link has expired. */
  async poll(): Promise<Outcome> {
    const job = this.#getJob();
    await this.#download?.pause();
    this.#polls ??= new ExportPolls(job, this.#context);
    const { response, link, ...rest } = await this.#polls.next(this.#facts.unknownPolls);
    const isKnown = response !== "unknown";
    this.#facts.isKnown ||= isKnown;
    this.#facts.unknownPolls = isKnown ? 0 : this.#facts.unknownPolls + 1;
    this.#facts.waitedMs = this.#polls.waitedMs;
    if (link !== undefined) {
      this.#link = link;
      this.#job = { ...job, state: "completed" };
      this.#polls = undefined;
    }
    return { situation: ["poll", response], recordId: job.id, ...rest };
  }

  /** Makes one attempt to download the file. The first attempt waits until few other files are being downloaded. */
  async download(): Promise<Outcome> {
    const job = this.#getJob();
    this.#leaveDownloads ??= await this.#context.downloadGate.enter(priority.exports);
    this.#download ??= this.#beginDownload(job);
    await this.#download.pause();
    const { response } = await this.#download.attempt(this.#link);
    Object.assign(this.#facts, this.#download.facts);
    const outcome: Outcome = { situation: ["download", response], recordId: job.id };
    if (response !== "whole") {
      const error = this.#download.failure();
      return { ...outcome, reason: `its download makes no progress: ${error.reason}`, error };
    }
    const downloadMs = performance.now() - this.#downloadStartedMs;
    this.#context.state.exportJobs.setDownload(job.id, this.#receivedBytes, downloadMs);
    return outcome;
  }

  async land(): Promise<CollectResult> {
    return await landExport(this.#getJob(), this.#context);
  }

  /** Returns the next step, and records the job's new state. */
  decide(outcome: Outcome): NextAction {
    const { situation, recordId, reason, error } = outcome;
    const { next, job } = findRule(situation, this.#facts);
    if (recordId === undefined || job === undefined) return next;
    const { state, logger } = this.#context;
    if (job === "open") {
      state.exportJobs.noteFailure(recordId, reason ?? "");
      return next;
    }
    state.exportJobs.update(recordId, { state: job, error: reason });
    if (situation[0] === "poll" && !error) logger.warn(this.#describeFailure(reason));
    else if (situation[0] === "poll" && next === "request")
      logger.warn(`${reason} Requesting another export.`);
    return next;
  }

  /** Returns the error to report for the export. */
  errorOf(end: Exclude<NextAction, Step | "land">, { situation, reason, error }: Outcome): unknown {
    const [step, response] = situation;
    const { failedJobs, lostRequests } = this.#facts;
    if (step === "start") return new ExportGivenUpError(this.#source, failedJobs, this.#lastError);
    if (end === "walk") {
      if (error === undefined) return new ExportGivenUpError(this.#source, failedJobs + 1, reason ?? null);
      const attempts = response === "responseLost" ? lostRequests + 1 : 1;
      return new ExportGivenUpError(this.#source, attempts, reason ?? null, { cause: error });
    }
    if (!(error instanceof VenueError)) return error;
    if (end === "deferred") return new ExportRefusedError(this.#source, error);
    return response === "responseLost" ? exportUnansweredError(this.#source, error) : error;
  }

  closeJob(): void {
    if (this.#job) this.#context.openExports.count -= 1;
    this.#leaveDownloads?.();
    this.#job = this.#polls = this.#download = this.#leaveDownloads = undefined;
  }

  #openJob(job: AcceptedJob): void {
    this.#job = job;
    this.#context.openExports.count += 1;
    this.#facts.isKnown = job.state === "completed";
  }

  #getJob(): AcceptedJob {
    if (!this.#job) throw new Error("No job was created yet.");
    return this.#job;
  }

  #readFacts(): void {
    const { state, service, collectionId, exportPatienceMs } = this.#context;
    const { kind, groupId } = this.#source;
    const failedHere = state.exportJobs.countFailures(collectionId, service, kind, groupId);
    const { failures, unanswered, hasLanded } = state.exportJobs.record(service, kind, groupId);
    this.#lastError = failedHere.lastError;
    this.#facts = {
      ...initialExportFacts,
      failedJobs: failedHere.count,
      wasLate: failedHere.lastError === notReadyInTime,
      hasLanded,
      failures,
      lostRequests: unanswered,
      patienceMs: exportPatienceMs,
    };
  }

  #beginDownload(job: AcceptedJob): FileDownload {
    const { state, client, clock, logger, progress, stopping } = this.#context;
    this.#downloadStartedMs = performance.now();
    this.#receivedBytes = 0;
    return new FileDownload({
      downloads: client.downloads,
      path: exportPath(job, this.#context),
      etag: job.etag,
      onEtag: (etag) => state.exportJobs.setEtag(job.id, etag),
      onBytes: (count) => {
        this.#receivedBytes += count;
        progress.addBytes(count);
      },
      clock,
      logger,
      signal: stopping,
    });
  }

  #describeFailure(reason = "no reason given"): string {
    const { kind, groupId } = this.#source;
    const jobId = this.#job?.job_id;
    return `The service failed the export ${jobId} (${kind} of group ${groupId}): ${reason.replace(/\.$/, "")}.`;
  }
}

/** Thrown if every response to the export request was lost. The service may or may not have created the job. */
function exportUnansweredError({ kind, groupId }: ExportSource, cause: VenueError): VenueError {
  return new VenueError(
    "EXPORT_UNANSWERED",
    "service",
    `The service returned no job for the ${kind} export of group ${groupId}. ${cause.message}`,
    { cause },
  );
}

/** Thrown if an export was refused, but the previous one succeeded. It is retried at the end of the run. */
export class ExportRefusedError extends VenueError {
  constructor({ kind, groupId }: ExportSource, cause: VenueError) {
    super(
      "EXPORT_REFUSED",
      "service",
      `The ${kind} export of group ${groupId} was refused, although the previous one was not: ${cause.message} ` +
        "It will be requested once more after everything else.",
      { cause },
    );
  }
}

/**
 * Thrown if the service refused an export, if the export failed repeatedly, or if it took too long. The zones
 * can be walked instead.
 */
export class ExportGivenUpError extends VenueError {
  constructor(
    { kind, groupId }: ExportSource,
    attempts: number,
    reason: string | null,
    options?: ErrorOptions,
  ) {
    super(
      "EXPORT_GIVEN_UP",
      "service",
      `The service failed ${attempts === 1 ? "the export" : `${attempts} exports`} of ${kind} of group ${groupId}: ` +
        `${(reason ?? "no reason given").replace(/\.$/, "")}.`,
      options,
    );
  }
}
