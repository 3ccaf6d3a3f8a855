import { joinPage, overlapOf } from "./walk-join.ts";
import type { WalkPager } from "./walk-pager.ts";
import type { WalkPage } from "./walk-pages.ts";
import { tailOf, type WalkProgress } from "./walk-progress.ts";
import type { WalkRecord } from "./walk-record.ts";

/** Pages that one walk reads again, at most. */
export const rereadLimit = 20;
/** Pages that are read for the records behind a place, at most. */
const lookLimit = 5;
/** How many records before its place a page is asked for where it did not fit; then four times as many. */
const contextRecords = 10;

/** Records that a page brought, without those that were read before. */
export interface FreshRecords {
  /** Of the first of them. */
  offset: number;
  total: number;
  records: WalkRecord[];
  /** Records that came in before them since the page before; negative: that went. */
  shifted: number;
  isLast: boolean;
  /** The service counts one record behind the last one, but looks there, one after the other, showed none. */
  surplus?: number;
  /** Why records may lie between them and those before, or behind them. */
  doubt?: string;
}

/** Pages that were read for the records behind a place. */
interface Looks {
  pages: number;
  /** How often the one before was read once more. */
  repeated: number;
  /** Where the furthest of them ended: one that ends before it is not the last. */
  furthest: number;
}

/** Reads a zone's pages one after the other: each has to fit the one before it, or is read again. */
export class WalkReader {
  readonly #progress: WalkProgress;
  readonly #pager: WalkPager;

  constructor(progress: WalkProgress, pager: WalkPager) {
    this.#progress = progress;
    this.#pager = pager;
  }

  /** No record was read yet in this pass. */
  get #isAtStart(): boolean {
    return this.#progress.tail.length === 0;
  }

  /** The next page's records without those that were read before. */
  async next(): Promise<FreshRecords> {
    const progress = this.#progress;
    const overlap = overlapOf(progress) ?? Math.min(1, progress.largestPage - 1);
    let start = Math.max(0, progress.offset - overlap);
    const first = await this.#pager.nextPage(start);
    const looks: Looks = { pages: 0, repeated: 0, furthest: 0 };
    // Newest first, pages may have come in since a walk was stopped: nothing on them is of use here.
    const isPushed = progress.order === "newest" && !this.#isAtStart;
    const pushed = isPushed ? start + first.total - progress.total - contextRecords : 0;
    let page = first;
    let joint = joinPage(progress, page, overlap);
    const fitsFirst = joint !== undefined;
    let back = contextRecords;
    for (;;) {
      looks.pages += 1;
      looks.furthest = Math.max(looks.furthest, endOf(page));
      if (joint && joint.fresh.length > 0) return this.#joined(page, joint.fresh);
      if (!joint && this.#fitsNowhere(page, looks)) return unjoined(first, overlap);
      // The end of one further back is not that of a list that showed more, although that did not fit.
      const isBehind = joint && !fitsFirst && endOf(page) < endOf(first);
      if (isBehind && this.#areEnough(looks)) return unjoined(first, overlap);
      const end = joint && this.#endAt(page, looks);
      if (end) return end;
      progress.rereads += 1;
      if (joint) start = Math.max(page.offset + joint.lookFrom, page === first ? pushed : 0);
      const offset = joint ? start : Math.max(0, start - back);
      if (!joint) back *= 4;
      if (offset === page.offset) looks.repeated += 1;
      page = await this.#pager.page({ offset });
      joint = joinPage(progress, page, overlap);
    }
  }

  /** What a page without new records tells of the end, if it does not have to be looked for once more. */
  #endAt(page: WalkPage, looks: Looks): FreshRecords | undefined {
    const end = endOf(page);
    const last = this.#joined(page, []);
    if (end >= page.total && end === looks.furthest && !page.isFull) return last;
    if (looks.repeated >= 2 && !page.isFull && page.total - end === 1)
      return { ...last, isLast: true, surplus: 1 };
    return this.#areEnough(looks) ? { ...last, isLast: true, doubt: noEnd(page) } : undefined;
  }

  /** Whether it is of no use to look further back where a page does not fit what was read before. */
  #fitsNowhere(page: WalkPage, looks: Looks): boolean {
    const { doubt, order } = this.#progress;
    return this.#areEnough(looks) || (doubt !== null && order === "unsorted") || page.offset === 0;
  }

  #areEnough({ pages, repeated }: Looks): boolean {
    return pages >= lookLimit || repeated >= 2 || this.#progress.rereads >= rereadLimit;
  }

  /**
   * Records from one offset up to another one, exclusive. The rest of a page that is cut short is asked for, too: fewer
   * come where there are no more, where the rest does not fit, or where too many began at one instant for a page.
   */
  async range(
    from: number,
    to: number,
  ): Promise<{ records: WalkRecord[]; total: number; areTooMany: boolean }> {
    const { order, largestPage } = this.#progress;
    let records: WalkRecord[] = [];
    for (;;) {
      const before = { order, ...tailOf(records), largestPage };
      // The last one may be the first of several that began at one instant: the one before it comes with it.
      const run = Math.max(2, before.run);
      const fitting = overlapOf({ ...before, run }) ?? overlapOf(before);
      // Where too many began at one instant, one answer has to show all.
      const overlap = fitting ?? records.length;
      const offset = from + records.length - overlap;
      const page = await this.#pager.page({ offset, limit: to - offset });
      // What one answer shows from the first record on has nothing to fit.
      const again = offset === from ? 0 : overlap;
      const fresh = joinPage(before, page, again)?.fresh ?? [];
      // Else records came in meanwhile, or went.
      const fits = fresh.length === page.records.length - again;
      const read = again === 0 ? fresh : [...records, ...fresh];
      const isMore = fits && read.length > records.length;
      if (isMore) records = read.slice(0, to - from);
      if (!isMore || from + records.length >= to)
        return { records, total: page.total, areTooMany: !isMore && fitting === undefined };
    }
  }

  #joined(page: WalkPage, records: WalkRecord[]): FreshRecords {
    const end = endOf(page);
    const offset = end - records.length;
    return {
      offset,
      total: page.total,
      records,
      shifted: this.#isAtStart ? 0 : offset - this.#progress.offset,
      isLast: end >= page.total && !page.isFull,
    };
  }
}

function endOf({ offset, records }: WalkPage): number {
  return offset + records.length;
}

/** Taken as it is: what is missing, or comes twice, can't be told. */
function unjoined(page: WalkPage, overlap: number): FreshRecords {
  const { records, offset, total, isFull } = page;
  const doubt =
    records.length === 0
      ? `the service shows no records from offset ${offset} on`
      : "the service lists records in another order with each request";
  const isLast = records.length <= overlap || (endOf(page) >= total && !isFull);
  return { offset, total, records: [...records], shifted: 0, isLast, doubt };
}

function noEnd({ offset, total }: WalkPage): string {
  return `the service counts ${total} records, but shows none that are new from offset ${offset} on`;
}
