import { accessSync, constants, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { VenueClient } from "../../api/client.ts";
import type { Clock } from "../../util/clock.ts";
import { resolveLinks } from "../../util/files/folders.ts";
import type { Logger } from "../../util/logger.ts";
import type { ProgressLine } from "../../util/text/progress-line.ts";
import { VenueError } from "../../util/venue-error.ts";
import { downloadFile } from "../download/download-file.ts";

interface DownloadExportOptions {
  client: VenueClient;
  jobId: string;
  /** Path of the complete file. Until the download ends, the received bytes are in `path + ".part"`. */
  path: string;
  clock: Clock;
  logger: Logger;
  progress: ProgressLine;
  signal: AbortSignal;
}

/**
 * Downloads the file of a completed export job until it is proven to be complete. Resumes an earlier
 * download.
 * @throws {OutputUnusableError} before any request, if the path can't be written to
 * @throws {VenueError} `EXPORT_NOT_COMPLETED` if the job has no file yet, or failed
 */
export async function downloadExport({
  client,
  jobId,
  path,
  progress,
  ...tools
}: DownloadExportOptions): Promise<{ path: string; bytes: number }> {
  const target = findTarget(path);
  const note = new PartRecord(target, jobId);
  let received = 0;
  const bytes = await downloadFile({
    downloads: client.downloads,
    getLink: async () => {
      const { status, download_url, error } = await client.exports.get({ jobId, signal: tools.signal });
      if (status === "completed" && download_url) return download_url;
      throw exportNotCompletedError(jobId, status, error);
    },
    path: target,
    etag: note.etag,
    onEtag: (etag) => note.write(etag),
    onBytes: (count) => {
      received += count;
      progress.show(`${(received / 1e6).toFixed(1)} MB`);
    },
    ...tools,
  });
  note.remove();
  return { path, bytes };
}

/** Records the job that `path + ".part"` belongs to, because another job's bytes can't be appended to it. */
class PartRecord {
  readonly #file: string;
  readonly #jobId: string;
  readonly etag: string | null;

  constructor(path: string, jobId: string) {
    this.#file = `${path}.part.json`;
    this.#jobId = jobId;
    const earlier = this.#read();
    if (earlier?.job_id !== jobId) rmSync(`${path}.part`, { force: true });
    this.etag = earlier?.job_id === jobId ? (earlier.etag ?? null) : null;
    this.write(this.etag);
  }

  write(etag: string | null): void {
    writeFileSync(this.#file, JSON.stringify({ job_id: this.#jobId, etag }));
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }

  #read(): { job_id?: unknown; etag?: string | null } | undefined {
    try {
      return Object(JSON.parse(readFileSync(this.#file, "utf8")));
    } catch {
      return undefined;
    }
  }
}

/**
 * Resolves a symbolic link, so that the download replaces its target and not the link. Rejects devices and
 * pipes, because the download would replace them with a file.
 */
function findTarget(path: string): string {
  try {
    const target = resolveLinks(path);
    const facts = statSync(target, { throwIfNoEntry: false });
    if (facts?.isDirectory()) throw new OutputUnusableError(path, "it is a folder");
    if (facts && !facts.isFile()) throw new OutputUnusableError(path, "it is not a regular file");
    accessSync(dirname(target), constants.W_OK);
    return target;
  } catch (error) {
    if (error instanceof OutputUnusableError) throw error;
    throw new OutputUnusableError(path, (error as Error).message, { cause: error });
  }
}

function exportNotCompletedError(
  jobId: string,
  status: string,
  reason: string | null | undefined,
): VenueError {
  const word = JSON.stringify(status);
  return new VenueError(
    "EXPORT_NOT_COMPLETED",
    "service",
    status === "failed"
      ? `The service failed the export ${jobId}${reason ? `: ${reason}` : ""}. Request a new one.`
      : `The export ${jobId} is not completed (status ${word}). Try again later; ` +
          "`venue api history export-job` shows its status.",
  );
}

/** The output path can't be written to. Thrown before any request. */
export class OutputUnusableError extends VenueError {
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(
      "OUTPUT_UNUSABLE",
      "usage",
      `${path} can't be written: ${problem}. Specify a file in an existing, writable folder.`,
      options,
    );
  }
}
