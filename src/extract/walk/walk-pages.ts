import type { PageInput } from "../../api/endpoints/inputs.ts";
import { NotFoundError, ServiceRefusedError } from "../../api/errors.ts";
import type { Page } from "../../api/records/page.ts";
import type { ZoneHistory } from "../../state/data/walks.ts";
import type { ExtractContext } from "../extract-context.ts";
import { priority } from "../request-gate.ts";
import { toWalkRecords, type WalkRecord } from "./walk-record.ts";

/** Whether a service may give just so many records of more: limits are round numbers. */
function isLimit(count: number): boolean {
  return count % 10 === 0 || count % 25 === 0;
}

/** A page of a zone's history. */
export interface WalkPage {
  offset: number;
  total: number;
  records: WalkRecord[];
  /** As many records as a page can hold, as far as is known: there may be more behind it, whatever the total says. */
  isFull: boolean;
}

export interface PageRequest {
  offset: number;
  /** @default as many as the service gives */
  limit?: number | undefined;
  /** No answer will do that a cache kept. */
  isFresh: boolean;
  /** The most records that a page of this walk held; 0 before the first. */
  largest: number;
  /** Before every request. */
  onRequest: () => void;
  onProduced?: PageInput["onProduced"];
}

/** With these, services refuse an offset behind the last record, too. */
const refusedOffsets = [400, 416, 422];

/**
 * Asks for one page. One that is not found is asked for once more; what lies behind the first page, and is not found or
 * refused, is a page without records then, if the first one is there.
 * @throws {NotFoundError} when there is no such zone
 * @throws {ApiError}
 */
export async function fetchWalkPage(
  zone: ZoneHistory,
  request: PageRequest,
  context: ExtractContext,
): Promise<WalkPage> {
  const found = await askTwice(zone, request, context);
  if (!(found instanceof ServiceRefusedError)) return found;
  if (request.offset === 0) throw found;
  const first = await askTwice(zone, { ...request, offset: 0, limit: 1 }, context);
  if (first instanceof ServiceRefusedError) throw first;
  return { offset: request.offset, total: first.total, records: [], isFull: false };
}

async function askTwice(
  zone: ZoneHistory,
  request: PageRequest,
  context: ExtractContext,
): Promise<WalkPage | ServiceRefusedError> {
  const ask = (isFresh: boolean) =>
    askPage(zone, { ...request, isFresh }, context).catch((error: unknown) => {
      if (error instanceof NotFoundError) return error;
      if (error instanceof ServiceRefusedError && refusedOffsets.includes(error.status)) return error;
      throw error;
    });
  const found = await ask(request.isFresh);
  return found instanceof NotFoundError ? await ask(true) : found;
}

async function askPage(
  { kind, zoneId }: ZoneHistory,
  { offset, limit, isFresh, largest, onRequest, onProduced }: PageRequest,
  context: ExtractContext,
): Promise<WalkPage> {
  const { client, gate, signal, stopping, pageLimit } = context;
  const name = `${kind} ${zoneId}`;
  // With the limit that is right once it is this request's turn: others may have been refused theirs by then. A zone
  // that is refused keeps its turn, so that others learn from it before they ask.
  return await gate.run(priority.history, async () => {
    for (;;) {
      const most = pageLimit.of(name);
      const asked = limit !== undefined && most !== undefined ? Math.min(limit, most) : (limit ?? most);
      try {
        onRequest();
        const page = await client.history.rawPage({
          kind,
          zoneId,
          offset,
          limit: asked,
          isFresh,
          onProduced,
          signal,
        });
        pageLimit.give(name, asked);
        return toPage(kind, page, { offset, asked, largest }, context);
      } catch (error) {
        if (!(error instanceof ServiceRefusedError) || ![400, 413, 422].includes(error.status)) throw error;
        if (!pageLimit.refuse(name, asked)) throw error;
        stopping.throwIfAborted();
      }
    }
  });
}

function toPage(
  kind: ZoneHistory["kind"],
  page: Page<unknown>,
  { offset, asked, largest }: { offset: number; asked: number | undefined; largest: number },
  { state, service }: ExtractContext,
): WalkPage {
  const records = toWalkRecords(kind, page.data);
  // The size that is told may be the one asked for, or just what the page holds: what pages held tells more. A total
  // below what is there proves nothing, nor does one that is the first page's own count: then a page is the last one
  // only if others held more. A page behind the first one may repeat a record, and hold one more for that.
  const isLarge =
    largest > 0
      ? records.length >= largest
      : offset + records.length > page.total_count ||
        (page.page_count ?? 0) > 1 ||
        ((isLimit(records.length) || page.page_size === records.length) &&
          records.length + 1 >= (state.walks.largestPage(service) ?? 0));
  return {
    offset,
    total: page.total_count,
    records,
    isFull: records.length > 0 && (isLarge || (asked !== undefined && records.length >= asked)),
  };
}
