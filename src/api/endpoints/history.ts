import { z } from "zod";
import type { Kind } from "../../util/kind.ts";
import {
  type CreatedExportJob,
  createdExportJob,
  type ExportJob,
  exportJob,
  type HistoryRecord,
  historyRecords,
} from "../records/history.ts";
import { emptyPage, type Page, pageOf } from "../records/page.ts";
import type { Service } from "../service.ts";
import { pathSegment } from "../transport/service-address.ts";
import type { Cancellable, GroupInput, PageInput } from "./inputs.ts";

/** The play history, zone by zone. */
export class History {
  readonly #service: Service;

  /** @internal */
  constructor(service: Service) {
    this.#service = service;
  }

  /** Fetches one page of at most `limit` records, in no documented order. `GET data/<kind>/history`. */
  page<OfKind extends Kind>(
    input: PageInput & { kind: OfKind; zoneId: number },
  ): Promise<Page<HistoryRecord<OfKind>>> {
    const record = historyRecords[input.kind] as unknown as z.ZodType<HistoryRecord<OfKind>>;
    return this.#request(input, pageOf(record));
  }

  /**
   * Fetches the same page without parsing its records, for callers that check each record themselves.
   * @throws {UnexpectedResponseError} if all records that name a zone name other zones, so it is the wrong
   *   page
   */
  rawPage(input: PageInput & { kind: Kind; zoneId: number }): Promise<Page<unknown>> {
    const page = pageOf(z.unknown());
    return this.#request(
      input,
      page.refine(({ data }) => matchesZone(data, input.zoneId), {
        path: ["data"],
        message: "contains only records of other zones",
      }),
    );
  }

  #request<Item>(
    { kind, zoneId, limit, offset, ...options }: PageInput & { kind: Kind; zoneId: number },
    schema: z.ZodType<Page<Item>>,
  ): Promise<Page<Item>> {
    return this.#service.request({
      method: "GET",
      path: `ext/data/${kind}/history`,
      query: { zone_id: zoneId, limit, offset },
      schema,
      noContent: emptyPage,
      ...options,
    });
  }
}

function matchesZone(records: readonly unknown[], zoneId: number): boolean {
  const named = records.map((record) => Number(Object(record).zone_id)).filter((id) => id > 0);
  return named.length === 0 || named.includes(zoneId);
}

/** Exports: the whole history of a group and kind, as a file that the service prepares. */
export class Exports {
  readonly #service: Service;

  /** @internal */
  constructor(service: Service) {
    this.#service = service;
  }

  /**
   * Requests an export. `POST data/<kind>/history/export`. If the response is lost, the request is retried up
   * to five times, because an extra job whose id was lost does no harm.
   */
  create({ kind, groupId, signal }: GroupInput & { kind: Kind }): Promise<CreatedExportJob> {
    return this.#service.request({
      method: "POST",
      path: `ext/data/${kind}/history/export`,
      body: { group_id: groupId },
      schema: createdExportJob,
      isRepeatable: true,
      attempts: 6,
      signal,
    });
  }

  /**
   * Fetches the state of an export. `GET data/history/exports/{job_id}`. Poll until the status is `failed`,
   * or `completed` with a link; each poll of a completed export may return a different link.
   * @throws {NotFoundError} if the job is unknown or expired
   */
  async get({ jobId, signal }: Cancellable & { jobId: string }): Promise<ExportJob> {
    const job = await this.#service.request({
      method: "GET",
      path: `ext/data/history/exports/${pathSegment(jobId)}`,
      schema: exportJob,
      isFresh: true,
      signal,
    });
    const { download_url, error } = job;
    return {
      ...job,
      ...(error ? { error: this.#service.sanitizeText(error) } : {}),
      ...(download_url ? { download_url: this.#service.resolve(download_url) } : {}),
    };
  }
}
