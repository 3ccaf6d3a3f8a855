import type { WalkState, ZoneHistory } from "../../state/data/walks.ts";
import type { ExtractContext } from "../extract-context.ts";
import { type Cursor, computeOverlap, joinPage, tailRecords } from "./walk-cursor.ts";
import { fetchWalkPage, type WalkPage } from "./walk-pages.ts";
import type { WalkProgress } from "./walk-progress.ts";
import type { WalkRecord } from "./walk-record.ts";

/** Maximum number of pages to request until one joins. */
const maxPageReads = 6;
/** Number of times that the end of the list is read again if the total exceeds the number of listed records. */
const maxEndRepeats = 2;

/** Records of a page that were not read before. */
export interface FreshRecords {
  records: WalkRecord[];
  /** Offset of the first of these records. */
  offset: number;
  total: number;
  isLast: boolean;
  /** Number of further records according to the total, although repeated requests returned none. */
  missing: number;
  /** Reason why records may be missing between these records and the earlier ones. */
  doubt?: string;
}

/**
 * Reads a zone's pages one after the other. A page that does not join the previous one is requested again.
 */
export class WalkReader {
  readonly #zone: ZoneHistory;
  readonly #state: WalkState;
  readonly #progress: WalkProgress;
  readonly #context: ExtractContext;

  constructor(zone: ZoneHistory, state: WalkState, progress: WalkProgress, context: ExtractContext) {
    this.#zone = zone;
    this.#state = state;
    this.#progress = progress;
    this.#context = context;
  }

  get pageSize(): number {
    return this.#state.pageSize ?? tailRecords;
  }

  /** Returns the records after the cursor. */
  async next(): Promise<FreshRecords> {
    const { cursor, doubt, total } = this.#progress;
    const overlap = computeOverlap(cursor, this.pageSize) ?? Math.min(1, this.pageSize - 1);
    let offset = Math.max(0, cursor.offset - overlap);
    let first: WalkPage | undefined;
    let [furthest, furthestJoined, repeats, step] = [0, 0, 0, this.pageSize];
    for (let readsLeft = maxPageReads; ; readsLeft -= 1) {
      const page = await this.#page(offset);
      const fresh = joinPage(cursor, { records: page.records, isStart: page.offset === 0 }, overlap);
      const end = getEnd(page);
      furthest = Math.max(furthest, end);
      if (fresh) furthestJoined = Math.max(furthestJoined, end);
      const isLast = end >= page.total && !page.isFull;
      if (fresh && (fresh.length > 0 || (isLast && end === furthest)))
        return toFreshRecords(page, fresh, isLast);
      // If the order is already unreliable, requesting other pages does not help.
      if (doubt !== null && !fresh?.length) return acceptUnjoined(page, overlap);
      const next = fresh
        ? Math.max(offset, end - overlap, first ? 0 : this.#pushed(offset, page.total - total))
        : Math.max(0, offset - step);
      if (!fresh) step *= 2;
      if (next === offset) repeats += 1;
      if (readsLeft <= 1 || repeats > maxEndRepeats) {
        if (furthestJoined < furthest) return acceptUnjoined(first ?? page, overlap);
        const missing = Math.max(0, page.total - cursor.offset);
        return { records: [], offset: cursor.offset, total: page.total, isLast: true, missing };
      }
      first ??= page;
      offset = next;
    }
  }

  /**
   * Returns the offset after skipping newly arrived records; 0 if there is nothing to skip. If records are
   * listed newest first, several pages may have arrived since the last page was read.
   */
  #pushed(offset: number, arrived: number): number {
    const { order, tail } = this.#progress.cursor;
    return order === "newest" && tail.length > 0 ? offset + arrived - overlapAfterSkip : 0;
  }

  /**
   * Returns the records before a cursor in a list that starts with the oldest record. Returns `undefined` if
   * the page does not join exactly.
   */
  async previous(cursor: Cursor): Promise<FreshRecords | undefined> {
    const overlap = computeOverlap(cursor, this.pageSize);
    if (overlap === undefined) return undefined;
    const end = cursor.offset + overlap;
    const offset = Math.max(0, end - this.pageSize);
    const page = await this.#page(offset, end - offset);
    const read = page.records.slice(-overlap).map(({ hash }) => hash);
    const isJoined =
      page.records.length === end - offset &&
      cursor.tail
        .slice(-overlap)
        .reverse()
        .every((hash, index) => hash === read[index]);
    if (!isJoined) return undefined;
    const records = page.records.slice(0, -overlap);
    return { records, offset, total: page.total, isLast: offset === 0, missing: 0 };
  }

  /** Requests a page. Only the first page may come from a cache, because the others must join it. */
  async #page(offset: number, limit?: number): Promise<WalkPage> {
    const progress = this.#progress;
    const state = this.#state;
    // The page size is unknown if one page contained all of a zone's records.
    const isMeasured = progress.records > 0 || (progress.known?.total ?? 0) > (state.pageSize ?? 0);
    const page = await fetchWalkPage(
      this.#zone,
      {
        offset,
        limit,
        isFresh: progress.requests > 0,
        largest: isMeasured ? (state.pageSize ?? 0) : 0,
        onRequest: () => {
          progress.requests += 1;
        },
        // A cached page lacks everything that arrived after it was produced.
        onProduced: ({ at }) => {
          if (at < new Date(progress.requestedAt)) progress.requestedAt = at.toISOString();
        },
      },
      this.#context,
    );
    state.pageSize = Math.max(state.pageSize ?? 0, page.records.length);
    return page;
  }
}

/** Number of records to read again after skipping pages, because some of the new records may be further down. */
const overlapAfterSkip = 10;

function getEnd({ offset, records }: WalkPage): number {
  return offset + records.length;
}

function toFreshRecords(page: WalkPage, records: WalkRecord[], isLast: boolean): FreshRecords {
  return { records, offset: getEnd(page) - records.length, total: page.total, isLast, missing: 0 };
}

/** Accepts a page that does not join: some of its records may not be new, and records before it may be missing. */
function acceptUnjoined(page: WalkPage, overlap: number): FreshRecords {
  const { records, offset, total, isFull } = page;
  const doubt =
    records.length === 0
      ? `the service returns no records from offset ${offset} on`
      : "the service lists records in a different order on each request";
  const isLast = records.length <= overlap || (getEnd(page) >= total && !isFull);
  return { records: [...records], offset, total, isLast, missing: 0, doubt };
}
