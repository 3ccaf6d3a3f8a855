import type { PageInput } from "../../api/endpoints/inputs.ts";
import { NotFoundError, ServiceRefusedError } from "../../api/errors.ts";
import type { Page } from "../../api/records/page.ts";
import type { ZoneHistory } from "../../state/data/walks.ts";
import type { ExtractContext } from "../extract-context.ts";
import { priority } from "../request-gate.ts";
import { toWalkRecords, type WalkRecord } from "./walk-record.ts";

/** Returns true for a count that may be a service's page limit: limits are round numbers. */
function looksLikeLimit(count: number): boolean {
  return count % 10 === 0 || count % 25 === 0;
}

export interface WalkPage {
  offset: number;
  total: number;
  records: WalkRecord[];
  /** As many records as a page is known to hold: more may follow, whatever the total. */
  isFull: boolean;
}

export interface PageRequest {
  offset: number;
  /** @default the service's own limit */
  limit?: number | undefined;
  /** The response must not come from a cache. */
  isFresh: boolean;
  /** Size of this walk's largest page; 0 before the first. */
  largest: number;
  onRequest: () => void;
  onProduced?: PageInput["onProduced"];
}

/** Statuses with which services reject an offset after the last record (as well as with 404). */
const refusedOffsets = [400, 416, 422];

/**
 * Fetches one page. A 404 is retried once. A later page that is still not found, or whose offset is rejected,
 * counts as empty if the first page exists.
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
  // Reads the page size when this request's turn comes, since other zones may have been refused theirs by
  // then. A refused zone keeps its turn, so that others learn from it before they request theirs.
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
  // The reported page size may be the requested one, or just the page's own count; the sizes of earlier pages
  // are more reliable. A total below the records listed proves nothing, nor does a total that equals the
  // first page's count: then a page is the last only if others were larger. A later page may repeat a record,
  // and be one larger for that.
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
