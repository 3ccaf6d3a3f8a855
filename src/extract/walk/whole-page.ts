/** Pages of less than this part of the largest are not considered. */
const leastShare = 0.5;

/** The place of a page that shows the same whether a service takes an offset as it is or not. */
export interface PagePlace {
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
