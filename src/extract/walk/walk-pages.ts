import { ServiceRefusedError } from "../../api/errors/service-refused-error.ts";
import type { Page } from "../../api/records/page.ts";
import type { ZoneHistory } from "../../state/walks.ts";
import type { ExtractContext } from "../extract-context.ts";
import { priority } from "../request-gate.ts";
import { toWalkRecord, type WalkRecord } from "./walk-record.ts";

/** Records that a page is asked for. The service documents no greatest value, and may give fewer. */
export const askedRecords = 1000;
/** Asked for where it refuses so many. */
const modestRecords = 100;

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
}

/** Asks for one page. @throws {ApiError} */
export async function fetchWalkPage(
  { kind, zoneId }: ZoneHistory,
  { offset, limit, isFresh }: PageRequest,
  context: ExtractContext,
): Promise<WalkPage> {
  const { client, gate, signal, pageLimit } = context;
  const ask = (records: number | undefined) =>
    gate.run(priority.history, () =>
      client.history.rawPage({ kind, zoneId, offset, limit: records, isFresh, signal }),
    );
  for (;;) {
    const most = pageLimit.records;
    const asked = limit !== undefined && most !== undefined ? Math.min(limit, most) : (limit ?? most);
    try {
      return toPage(kind, await ask(asked), offset, asked);
    } catch (error) {
      const isTooMany = error instanceof ServiceRefusedError && [400, 413, 422].includes(error.status);
      if (!isTooMany || asked === undefined || most === undefined) throw error;
      pageLimit.records = asked > modestRecords ? modestRecords : undefined;
    }
  }
}

function toPage(
  kind: ZoneHistory["kind"],
  page: Page<unknown>,
  offset: number,
  asked: number | undefined,
): WalkPage {
  const records = page.data.map((record) => toWalkRecord(kind, record));
  const size = Math.min(asked ?? Number.POSITIVE_INFINITY, page.page_size ?? Number.POSITIVE_INFINITY);
  return { offset, total: page.total_count, records, isFull: records.length >= size };
}
