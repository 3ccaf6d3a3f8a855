import type { Kind } from "../../util/kind.ts";
import { type CreatedExportJob, createdExportJob, type ExportJob, exportJob } from "../records/export-job.ts";
import type { Service } from "../service.ts";
import { pathSegment } from "../transport/path-segment.ts";
import type { Cancellable, GroupInput } from "./inputs.ts";

/** Exports: the whole history of one kind of all zones of a group, as a file that the service prepares. */
export class Exports {
  readonly #service: Service;

  /** @internal */
  constructor(service: Service) {
    this.#service = service;
  }

  /**
   * Asks for an export. `POST data/<kind>/history/export`. Where the response is lost, it asks again, up to five times:
   * a job whose id nobody knows does no harm.
   */
  create({ kind, groupId, signal }: GroupInput & { kind: Kind }): Promise<CreatedExportJob> {
    return this.#service.ask({
      method: "POST",
      path: `ext/data/${kind}/history/export`,
      body: { group_id: groupId },
      answer: createdExportJob,
      isRepeatable: true,
      attempts: 6,
      signal,
    });
  }

  /**
   * How far an export is. `GET data/history/exports/{job_id}`. Poll it until its status is `failed`, or
   * `completed` with a link; each poll of a completed one may give another link.
   * @throws {NotFoundError} when the service does not, or no longer, know the job
   */
  async get({ jobId, signal }: Cancellable & { jobId: string }): Promise<ExportJob> {
    const job = await this.#service.ask({
      method: "GET",
      path: `ext/data/history/exports/${pathSegment(jobId)}`,
      answer: exportJob,
      isFresh: true,
      signal,
    });
    const { download_url, error } = job;
    return {
      ...job,
      ...(error ? { error: this.#service.harmlessText(error) } : {}),
      ...(download_url ? { download_url: this.#service.resolve(download_url) } : {}),
    };
  }
}
