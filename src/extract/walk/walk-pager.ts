import type { WalkState, ZoneHistory } from "../../state/data/walks.ts";
import type { ExtractContext } from "../extract-context.ts";
import { fetchWalkPage, type PageRequest, type WalkPage } from "./walk-pages.ts";
import { tailRecords, type WalkProgress } from "./walk-progress.ts";

/** Gives a zone's pages from any offset on, of services too that show whole pages alone. */
export class WalkPager {
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

  /** The page from here on; asked for as a whole page where it shows that the service knows no others. */
  async nextPage(offset: number): Promise<WalkPage> {
    const request = { offset, limit: this.#firstLimit() };
    const page = await this.page(request);
    if (this.#state.hasWholePages || !this.#isFirstPage(page)) return page;
    this.#state.hasWholePages = true;
    return await this.page(request);
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
        // A page that a cache gave shows nothing of what came since it was produced.
        onProduced: ({ at }) => {
          if (at < new Date(progress.requestedAt)) progress.requestedAt = at.toISOString();
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
    const { pass, passes, tail, largestPage } = this.#progress;
    const { surplus, pageSize = 0 } = this.#state;
    const size = largestPage || pageSize;
    return pass === "whole" && (passes + surplus) % 2 === 1 && tail.length === 0 && size > 1
      ? Math.floor(size / 2)
      : undefined;
  }
}

/** Pages of less than this part of the largest are not considered. */
const leastShare = 0.5;

/** The place of a page that shows the same whether a service takes an offset as it is or not. */
interface PagePlace {
  offset: number;
  limit: number;
}

/**
 * Some services show whole pages alone: for an offset that is no multiple of the limit, the page in which it lies. Of
 * the pages that begin at a multiple of their own limit, the one that shows most from `offset` on.
 * @param most records of a page
 */
export function wholePageAt(offset: number, most: number): PagePlace {
  let best: PagePlace = { offset, limit: 1 };
  for (let limit = most; limit > most * leastShare; limit -= 1) {
    const page = { offset: offset - (offset % limit), limit };
    if (endOf(page) > endOf(best)) best = page;
  }
  return best;
}

function endOf({ offset, limit }: PagePlace): number {
  return offset + limit;
}
