import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ServiceFailedError, ServiceRefusedError, UnexpectedResponseError } from "../../api/errors.ts";
import { type ExportRecord, type GivenExport, notReadyInTime } from "../../state/data/export-jobs.ts";
import type { Landing } from "../../state/data/landings.ts";
import { VenueError } from "../../util/venue-error.ts";
import { DownloadFailedError, downloadFile } from "../download/download-file.ts";
import { contentBytes } from "../download/part-file.ts";
import type { ExtractContext } from "../extract-context.ts";
import type { Collected } from "../extract-order.ts";
import { priority } from "../request-gate.ts";
import {
  type AcceptedJob,
  createJob,
  ExportJobEndedError,
  type ExportSource,
  findUsableJob,
  getDownloadLink,
  isUnanswered,
} from "./ask-export.ts";

/** Jobs that are asked for, at most, when the service fails them. */
const jobLimit = 3;

/**
 * One group's history of one kind, through an export: create or take up a job, poll, download, land. Every step is
 * recorded before and after it happens, so that a run that was killed is gone on with where it was.
 *
 * @throws {ExportGivenUpError} when the service refuses the export, fails it repeatedly, does not get it done in time,
 *   or in one sync after the other leaves it unanswered, or its polls or its download fail
 * @throws {ExportUnansweredError} when the response to the request for it was lost each time
 * @throws {ExportRefusedError} when the service refuses it after one that it gave
 */
export async function collectExport(source: ExportSource, context: ExtractContext): Promise<Collected> {
  const { state, collectionId, service, logger, openExports } = context;
  for (;;) {
    const failures = state.exportJobs.failuresOf(collectionId, service, source.kind, source.groupId);
    if (failures.count >= jobLimit || failures.lastError === notReadyInTime) {
      throw new ExportGivenUpError(source, failures.count, failures.lastError);
    }
    const usable = findUsableJob(source, context);
    const earlier = state.exportJobs.record(service, source.kind, source.groupId);
    const job = usable ?? (await askForJob(source, earlier, context));
    openExports.count += 1;
    try {
      return await landJob(job, context);
    } catch (error) {
      if (isRefused(error) && isOutOfLine(earlier)) {
        state.exportJobs.update(job.id, { state: "failed", error: error.message });
        logger.warn(`${error.message} Another export is asked for.`);
        continue;
      }
      const reason = whyGivenUp(error, job, earlier.failures);
      if (reason !== undefined) {
        state.exportJobs.update(job.id, { state: "failed", error: reason });
        throw new ExportGivenUpError(source, 1, reason, { cause: error });
      }
      if (error instanceof DownloadFailedError || isPollFailure(error))
        state.exportJobs.noteFailure(job.id, error.message);
      if (!(error instanceof ExportJobEndedError)) throw error;
      logger.warn(error.message);
    } finally {
      openExports.count -= 1;
    }
  }
}

/** Asks for an export. Where an earlier request gave no job either, the export is given up. */
async function askForJob(
  source: ExportSource,
  earlier: ExportRecord,
  context: ExtractContext,
): Promise<AcceptedJob> {
  try {
    return await createJob(source, context);
  } catch (error) {
    if (isRefused(error) && isOutOfLine(earlier)) throw new ExportRefusedError(source, error);
    if (isRefused(error)) throw new ExportGivenUpError(source, 1, error.message, { cause: error });
    if (!(error instanceof VenueError) || !isUnanswered(error)) throw error;
    if (earlier.unanswered === 0) throw new ExportUnansweredError(source, error);
    throw new ExportGivenUpError(source, earlier.unanswered + 1, error.message, { cause: error });
  }
}

/** Whether the export alone may be what is refused; without a valid token all else is, too. */
function isRefused(error: unknown): error is ServiceRefusedError {
  return error instanceof ServiceRefusedError && error.status !== 401;
}

/** Whether a refusal may pass: the export before gave its file. Walks of zones that were never read take hours. */
function isOutOfLine({ failures, hasLanded }: ExportRecord): boolean {
  return hasLanded && failures === 0;
}

/** Whether the service failed a poll, or answered it with what can't be understood. */
function isPollFailure(error: unknown): error is ServiceFailedError | UnexpectedResponseError {
  return error instanceof ServiceFailedError || error instanceof UnexpectedResponseError;
}

/**
 * Why a job that is left open would fail one sync after the other: each poll is refused, or polls or its download failed
 * after an export that gave no file, or again, the download without anything more than last time. `undefined`: it may be
 * gone on with.
 */
function whyGivenUp(error: unknown, job: AcceptedJob, earlierFailures: number): string | undefined {
  if (isRefused(error)) return error.message;
  const isAgain = earlierFailures > 0 || job.error !== null;
  if (isPollFailure(error)) return isAgain ? error.message : undefined;
  if (!(error instanceof DownloadFailedError)) return undefined;
  const isInVain = earlierFailures > 0 || (isAgain && !error.broughtMore);
  return isInVain ? `its download makes no progress: ${error.reason}` : undefined;
}

async function landJob(job: AcceptedJob, context: ExtractContext): Promise<Collected> {
  const path = join(
    context.folder.landing,
    `${job.kind}-group-${job.group_id}-export-${job.landing_id}.jsonl`,
  );
  try {
    // Killed between the download's end and its record: the file is there, whole.
    if (!existsSync(path)) await downloadJob(job, path, context);
  } catch (error) {
    if (error instanceof ExportJobEndedError || isRefused(error)) await rm(`${path}.part`, { force: true });
    throw error;
  }
  const { state, collectionId } = context;
  const source = { source: "export", kind: job.kind, groupId: job.group_id } as const;
  const bytes = await contentBytes(path);
  const again = findGivenAgain(job, bytes, context);
  const why = whyIncomplete(bytes, state.landings.lastBytes(source), again);
  const landing: Landing = {
    ...source,
    landingId: job.landing_id,
    requestedAt: new Date(again?.requested_at ?? job.requested_at),
    path: context.folder.relativePath(path),
    bytes,
    isComplete: why === undefined,
  };
  state.landings.add(collectionId, landing, () => state.exportJobs.markLanded(job.id));
  if (why !== undefined) return { landing, why };
  return { landing, ...(again ? { note: describeAgain(again) } : {}) };
}

/**
 * The export that this one is once more: the service answered the request for it with a job that has landed before, and
 * its file did not grow. Its history is as of the request then.
 */
function findGivenAgain(job: AcceptedJob, bytes: number, { state }: ExtractContext): GivenExport | undefined {
  const given = state.exportJobs.findGiven(job.id);
  return bytes > 0 && given?.bytes === bytes ? given : undefined;
}

function describeAgain({ requested_at }: GivenExport): string {
  return `the service gave the export of ${requested_at} again`;
}

/** An empty history after one that was not counts when the next one is empty, too; one from before a later one never. */
function whyIncomplete(
  bytes: number,
  lastBytes: number | undefined,
  again: GivenExport | undefined,
): string | undefined {
  if (again && again.later > 0) return `${describeAgain(again)}, which is older than the last one`;
  if (bytes > 0 || !lastBytes) return undefined;
  return `its export is empty, where the one before had ${lastBytes} bytes`;
}

async function downloadJob(job: AcceptedJob, path: string, context: ExtractContext): Promise<void> {
  const { state, client, clock, logger, stopping } = context;
  // Polled before it waits for its turn to download; a link that expires meanwhile is asked for again.
  let firstLink: string | undefined = await getDownloadLink(job, context);
  const completed: AcceptedJob = { ...job, state: "completed" };
  const leave = await context.downloadGate.enter(priority.exports);
  try {
    const startedAt = performance.now();
    let received = 0;
    await downloadFile({
      downloads: client.downloads,
      getLink: async () => {
        const link = firstLink ?? (await getDownloadLink(completed, context));
        firstLink = undefined;
        return link;
      },
      path,
      etag: job.etag,
      onEtag: (etag) => state.exportJobs.setEtag(job.id, etag),
      onBytes: (count) => {
        received += count;
        context.progress.addBytes(count);
      },
      clock,
      logger,
      signal: stopping,
    });
    state.exportJobs.setDownload(job.id, received, performance.now() - startedAt);
  } finally {
    leave();
  }
}

/** The response to the request for an export was lost each time: the service may have made it. */
export class ExportUnansweredError extends VenueError {
  override readonly name = "ExportUnansweredError";
  readonly code = "EXPORT_UNANSWERED";
  readonly category = "service";

  constructor({ kind, groupId }: ExportSource, cause: VenueError) {
    super(`The service gave no job for the ${kind} export of group ${groupId}. ${cause.message}`, { cause });
  }
}

/** The service refused an export after one that it gave: it is to be asked for again after all else. */
export class ExportRefusedError extends VenueError {
  override readonly name = "ExportRefusedError";
  readonly code = "EXPORT_REFUSED";
  readonly category = "service";

  constructor({ kind, groupId }: ExportSource, cause: VenueError) {
    super(
      `The ${kind} export of group ${groupId} was refused, where the one before was not: ${cause.message} ` +
        "It is asked for once more, after all else.",
      { cause },
    );
  }
}

/** The service refused an export, or did not get it done, repeatedly or in time. The zones can be walked instead. */
export class ExportGivenUpError extends VenueError {
  override readonly name = "ExportGivenUpError";
  readonly code = "EXPORT_GIVEN_UP";
  readonly category = "service";

  constructor(
    { kind, groupId }: ExportSource,
    attempts: number,
    reason: string | null,
    options?: ErrorOptions,
  ) {
    super(
      `The service failed ${attempts === 1 ? "the export" : `${attempts} exports`} of ${kind} of group ${groupId}: ` +
        `${(reason ?? "no reason given").replace(/\.$/, "")}.`,
      options,
    );
  }
}
