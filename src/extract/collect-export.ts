import { existsSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Landing } from "../state/landings.ts";
import { downloadFile } from "./download-file.ts";
import {
  type AcceptedJob,
  createJob,
  ExportJobEndedError,
  type ExportSource,
  findUsableJob,
  getDownloadLink,
} from "./export-job.ts";
import type { ExtractContext } from "./extract-context.ts";

/** Jobs that a sync asks for, at most, when the service fails them. */
const jobLimit = 3;

/**
 * One group's history of one kind, through an export: create or take up a job, poll, download, land. Every step is
 * recorded before and after it happens, so that a run that was killed is gone on with where it was.
 *
 * @throws {ExportJobEndedError} when the service fails the export repeatedly
 * @throws {ExportNotReadyError} when the export is not done in time
 * @throws {MaybeCarriedOutError} when the answer to the request for an export was lost
 */
export async function collectExport(source: ExportSource, context: ExtractContext): Promise<Landing> {
  for (let attempt = 1; ; attempt++) {
    const job = findUsableJob(source, context) ?? (await createJob(source, context));
    try {
      return await landJob(job, context);
    } catch (error) {
      if (!(error instanceof ExportJobEndedError) || attempt === jobLimit) throw error;
      context.logger.warn(`${error.message} Attempt ${attempt} of ${jobLimit}.`);
    }
  }
}

async function landJob(job: AcceptedJob, context: ExtractContext): Promise<Landing> {
  const path = join(
    context.folder.landing,
    `${job.kind}-group-${job.group_id}-export-${job.landing_id}.jsonl`,
  );
  try {
    // Killed between the download's end and its record: the file is there, whole.
    if (!existsSync(path)) await downloadJob(job, path, context);
  } catch (error) {
    if (error instanceof ExportJobEndedError) await rm(`${path}.part`, { force: true });
    throw error;
  }
  const landing: Landing = {
    landingId: job.landing_id,
    source: "export",
    kind: job.kind,
    groupId: job.group_id,
    requestedAt: new Date(job.requested_at),
    path: context.folder.relativePath(path),
    bytes: (await stat(path)).size,
    isComplete: true,
  };
  context.state.landings.add(context.collectionId, landing, job.id);
  return landing;
}

async function downloadJob(job: AcceptedJob, path: string, context: ExtractContext): Promise<void> {
  let current = job;
  await downloadFile({
    downloads: context.client.downloads,
    getLink: async () => {
      const link = await getDownloadLink(current, context);
      current = { ...current, state: "completed" };
      return link;
    },
    path,
    etag: job.etag,
    onEtag: (etag) => context.state.exportJobs.setEtag(job.id, etag),
    onBytes: (count) => context.progress.addBytes(count),
    clock: context.clock,
    logger: context.logger,
    signal: context.signal,
  });
}
