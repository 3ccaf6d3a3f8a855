import type { WalkState, ZoneHistory } from "../../state/data/walks.ts";
import type { ExtractContext } from "../extract-context.ts";
import { joinPage, overlapOf } from "./walk-join.ts";
import { fetchWalkPage, type PageRequest, type WalkPage } from "./walk-pages.ts";
import { tailOf, tailRecords, type WalkProgress } from "./walk-progress.ts";
import type { WalkRecord } from "./walk-record.ts";
import { wholePageAt } from "./whole-page.ts";

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

  /** No record was read yet in this pass. */
  get #isAtStart(): boolean {
    return this.#progress.tail.length === 0;
  }

  /** The next page's records without those that were read before. */
  async next(): Promise<FreshRecords> {
    const progress = this.#progress;
    const overlap = overlapOf(progress) ?? Math.min(1, progress.largestPage - 1);
    let start = Math.max(0, progress.offset - overlap);
    const first = await this.#nextPage(start);
    const looks: Looks = { pages: 0, repeated: 0, furthest: 0 };
    // Newest first, pages may have come in since a walk was stopped: nothing on them is of use here.
    const isPushed = progress.order === "newest" && !this.#isAtStart;
    const pushed = isPushed ? start + first.total - progress.total - contextRecords : 0;
    let page = first;
    let back = contextRecords;
    let fitsFirst = true;
    for (;;) {
      looks.pages += 1;
      looks.furthest = Math.max(looks.furthest, endOf(page));
      const joint = joinPage(progress, page, overlap);
      if (page === first) fitsFirst = joint !== undefined;
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
      page = await this.page({ offset });
    }
  }

  /** The page from here on; asked for as a whole page where it shows that the service knows no others. */
  async #nextPage(offset: number): Promise<WalkPage> {
    const request = { offset, limit: this.#firstLimit() };
    const page = await this.page(request);
    if (this.#state.hasWholePages || !this.#isFirstPage(page)) return page;
    this.#state.hasWholePages = true;
    return await this.page(request);
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
      const page = await this.page({ offset, limit: to - offset });
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

  /** What a cache kept will do for the first page alone: the others have to fit it. */
  async page(request: Pick<PageRequest, "offset" | "limit">): Promise<WalkPage> {
    const { offset, limit } = request;
    if (offset === 0 || !this.#hasWholePages()) return await this.#ask(request);
    const most = this.#progress.largestPage || this.#state.pageSize || tailRecords;
    const whole = wholePageAt(offset, most);
    let page = await this.#ask(whole);
    let shown = page.records.slice(offset - whole.offset);
    // Where pages of each size end, none shows what comes behind: the one that begins there is put to it.
    if (whole.offset + whole.limit === offset + 1 && shown.length === 1 && page.total > offset + 1) {
      const behind = await this.#ask({ offset: offset + 1, limit: most });
      if (behind.total === page.total) [page, shown] = [behind, [...shown, ...behind.records]];
    }
    const records = shown.slice(0, limit);
    return { ...page, offset, records, isFull: page.isFull || records.length < shown.length };
  }

  /** What one zone of a service showed goes for the others, too. */
  #hasWholePages(): boolean {
    const { state, service } = this.#context;
    return this.#state.hasWholePages || state.walks.areWholePages(service);
  }

  async #ask(request: Pick<PageRequest, "offset" | "limit">): Promise<WalkPage> {
    const progress = this.#progress;
    const page = await fetchWalkPage(
      this.#zone,
      {
        ...request,
        isFresh: progress.requests > 0,
        largest: progress.largestPage,
        onRequest: () => {
          progress.requests += 1;
        },
      },
      this.#context,
    );
    progress.largestPage = Math.max(progress.largestPage, page.records.length);
    this.#state.pageSize = Math.max(this.#state.pageSize ?? 0, page.records.length);
    return page;
  }

  /**
   * Whether a page from further back shows what this pass read first, although nothing came in. From the second record
   * on, it may as well repeat the one before.
   */
  #isFirstPage({ offset, total, records }: WalkPage): boolean {
    const { head, total: totalBefore, records: read } = this.#progress;
    const isBehind = offset > 1 && read > 0 && head.length > 0 && total === totalBefore;
    return isBehind && head.every((hash, index) => hash === records[index]?.hash);
  }

  /** A pass that is made once more, or a walk because of a surplus, has its pages end elsewhere. */
  #firstLimit(): number | undefined {
    const { pass, passes, largestPage } = this.#progress;
    const { surplus, pageSize = 0 } = this.#state;
    const size = largestPage || pageSize;
    return pass === "whole" && (passes + surplus) % 2 === 1 && this.#isAtStart && size > 1
      ? Math.floor(size / 2)
      : undefined;
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
