import type { WalkState, ZoneHistory } from "../../state/walks.ts";
import type { ExtractContext } from "../extract-context.ts";
import { findContinuation, findDrift } from "./walk-drift.ts";
import { fetchWalkPage, type PageRequest, type WalkPage } from "./walk-pages.ts";
import type { WalkProgress } from "./walk-progress.ts";
import type { WalkRecord } from "./walk-record.ts";

/** Pages that one walk reads again, at most. */
export const rereadLimit = 20;

/** Records that a page brought, without those that were read before. */
export interface FreshRecords {
  /** Of the first of them. */
  offset: number;
  total: number;
  records: WalkRecord[];
  /** Records that came in before them since the page before. */
  shifted: number;
  isLast: boolean;
}

/** Reads a zone's pages one after the other, and heals what shifts between them. */
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

  /** The next page's records without those that were read before; where some may be missing, it is read again. */
  async next(): Promise<FreshRecords> {
    const progress = this.#progress;
    const page = await this.page({ offset: progress.offset });
    const drift = findDrift(
      { tail: progress.tail, total: progress.total },
      { hashes: hashesOf(page), total: page.total, offset: page.offset },
    );
    if ("repeats" in drift) return fresh(page, drift.repeats, drift.repeats);
    for (let back = drift.suspect; progress.rereads < rereadLimit && back <= 16 * drift.suspect; back *= 4) {
      progress.rereads += 1;
      const offset = Math.max(0, page.offset - back);
      const again = await this.page({ offset });
      const index = findContinuation(progress.tail, hashesOf(again), page.offset - offset);
      if (progress.tail.length === 0) return fresh(again, 0, 0);
      // What the page said may have been a slip: then nothing shifted.
      if (index !== undefined) return fresh(again, index, Math.max(0, offset + index - page.offset));
      if (offset === 0) break;
    }
    return fresh(page, 0, 0);
  }

  /** What a cache kept will do for the first page alone: the others have to fit it. */
  async page(request: Omit<PageRequest, "isFresh">): Promise<WalkPage> {
    const isFresh = this.#progress.requests > 0;
    this.#progress.requests += 1;
    const page = await fetchWalkPage(this.#zone, { ...request, isFresh }, this.#context);
    this.#state.pageSize = Math.max(this.#state.pageSize ?? 0, page.records.length);
    return page;
  }
}

function fresh(page: WalkPage, from: number, shifted: number): FreshRecords {
  const records = page.records.slice(from);
  const end = page.offset + page.records.length;
  const isLast = page.records.length === 0 || (end >= page.total && !page.isFull);
  return { offset: page.offset + from, total: page.total, records, shifted, isLast };
}

function hashesOf({ records }: WalkPage): number[] {
  return records.map(({ hash }) => hash);
}
