import type { PageInput } from "../../api/endpoints/inputs.ts";
import { NotFoundError, ServiceRefusedError } from "../../api/errors.ts";
import type { Page } from "../../api/records/page.ts";
import type { ZoneHistory } from "../../state/data/walks.ts";
import type { ExtractContext } from "../extract-context.ts";
import { priority } from "../request-gate.ts";
import { toWalkRecords, type WalkRecord } from "./walk-record.ts";

/** Returns true for a round number, because page limits are usually round. */
function looksLikeLimit(count: number): boolean {
  return count % 10 === 0 || count % 25 === 0;
}

export interface WalkPage {
  offset: number;
  total: number;
  records: WalkRecord[];
  /**
   * True if the page has the maximum number of records. More may then follow, even if the total suggests
   * otherwise.
   */
  isFull: boolean;
}

export interface PageRequest {
  offset: number;
  /** @default the service's limit */
  limit?: number | undefined;
  /** True if the response must not come from a cache. */
  isFresh: boolean;
  /** Number of records on this walk's largest page; 0 before the first page. */
  largest: number;
  onRequest: () => void;
  onProduced?: PageInput["onProduced"];
}

/** Statuses, besides 404, with which services reject an offset after the last record. */
const refusedOffsets = [400, 416, 422];

/**
 * Fetches one page. A 404 is retried once. A later page is treated as empty if it is still not found or its
 * offset is rejected, as long as the first page exists.
 * @throws {NotFoundError} if the zone does not exist
 * @throws {ApiError}
 */
export async function fetchWalkPage(
  zone: ZoneHistory,
  request: PageRequest,
  context: ExtractContext,
): Promise<WalkPage> {
  const found = await fetchWithRetry(zone, request, context);
  if (!(found instanceof ServiceRefusedError)) return found;
  if (request.offset === 0) throw found;
  const first = await fetchWithRetry(zone, { ...request, offset: 0, limit: 1 }, context);
  if (first instanceof ServiceRefusedError) throw first;
  return { offset: request.offset, total: first.total, records: [], isFull: false };
}

async function fetchWithRetry(
  zone: ZoneHistory,
  request: PageRequest,
  context: ExtractContext,
): Promise<WalkPage | ServiceRefusedError> {
  const fetchOnce = (isFresh: boolean) =>
    requestPage(zone, { ...request, isFresh }, context).catch((error: unknown) => {
      if (error instanceof NotFoundError) return error;
      if (error instanceof ServiceRefusedError && refusedOffsets.includes(error.status)) return error;
      throw error;
    });
  const found = await fetchOnce(request.isFresh);
  return found instanceof NotFoundError ? await fetchOnce(true) : found;
}

async function requestPage(
  { kind, zoneId }: ZoneHistory,
  { offset, limit, isFresh, largest, onRequest, onProduced }: PageRequest,
  context: ExtractContext,
): Promise<WalkPage> {
  const { client, gate, signal, stopping, pageLimit } = context;
  const name = `${kind} ${zoneId}`;
  // Chooses the page size only after the request has passed the gate, because the service may have refused a size
  // for other zones by then. Retries a refused request without leaving the gate, so that the refusal is recorded
  // before other zones' requests.
  return await gate.run(priority.history, async () => {
    for (;;) {
      const most = pageLimit.sizeFor(name);
      const requested = limit !== undefined && most !== undefined ? Math.min(limit, most) : (limit ?? most);
      try {
        onRequest();
        const page = await client.history.rawPage({
          kind,
          zoneId,
          offset,
          limit: requested,
          isFresh,
          onProduced,
          signal,
        });
        pageLimit.recordSize(name, requested);
        return toPage(kind, page, { offset, requested, largest }, context);
      } catch (error) {
        if (!(error instanceof ServiceRefusedError) || ![400, 413, 422].includes(error.status)) throw error;
        if (!pageLimit.recordRefusal(name, requested)) throw error;
        stopping.throwIfAborted();
      }
    }
  });
}

function toPage(
  kind: ZoneHistory["kind"],
  page: Page<unknown>,
  { offset, requested, largest }: { offset: number; requested: number | undefined; largest: number },
  { state, service }: ExtractContext,
): WalkPage {
  const records = toWalkRecords(kind, page.data);
  // The sizes of earlier pages are more reliable than the reported page size, which may be the requested size
  // or just this page's count. A total proves nothing if it is below the number of listed records or equal to
  // the first page's count. The page is then treated as the last one only if other pages were larger. A later
  // page may be larger by one, because it repeats a record.
  const isLarge =
    largest > 0
      ? records.length >= largest
      : offset + records.length > page.total_count ||
        (page.page_count ?? 0) > 1 ||
        ((looksLikeLimit(records.length) || page.page_size === records.length) &&
          records.length + 1 >= (state.walks.findLargestPage(service) ?? 0));
  return {
    offset,
    total: page.total_count,
    records,
    isFull: records.length > 0 && (isLarge || (requested !== undefined && records.length >= requested)),
  };
}
