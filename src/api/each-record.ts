import type { Page } from "./records/page.ts";
import type { StatusList } from "./records/status-list.ts";

/**
 * All records of a paged listing of the main API, page by page. The offset advances by the records received: the
 * service may give fewer than asked for. What is added or removed while this reads may be missed or come twice.
 *
 * @param fetchPage fetches the page that begins at an offset, e.g.
 *   `(offset) => client.playlists.page({ zoneId, limit: 100, offset })`
 */
export async function* eachRecord<Item>(
  fetchPage: (offset: number) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let offset = 0; ; ) {
    const { data, total_count } = await fetchPage(offset);
    yield* data;
    offset += data.length;
    if (data.length === 0 || offset >= total_count) return;
  }
}

/**
 * All records of a paged listing of the status API, page by page.
 *
 * @param fetchPage fetches a page by its number (`undefined`: the first one), e.g.
 *   `(page) => statusClient.noticesPage({ type: "planned", page })`
 */
export async function* eachStatusRecord<Item>(
  fetchPage: (page: number | undefined) => Promise<StatusList<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let page: number | undefined;
  do {
    const { records, next } = await fetchPage(page);
    yield* records;
    page = next;
  } while (page !== undefined);
}
