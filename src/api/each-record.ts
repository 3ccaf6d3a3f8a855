import type { Page } from "./records/page.ts";
import type { StatusList } from "./records/status.ts";

/**
 * Streams all records of a paged listing of the main API. The offset advances by the records received, because
 * the service may return fewer than requested. If the listing changes during the stream, records may be missed
 * or repeated.
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
 * Streams all records of a paged listing of the status API, without duplicates.
 *
 * @param fetchPage fetches a page by its number (`undefined`: the first one), e.g.
 *   `(page) => statusClient.noticesPage({ type: "planned", page })`
 */
export async function* eachStatusRecord<Item extends { id: number }>(
  fetchPage: (page: number | undefined) => Promise<StatusList<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { records } of eachStatusPage(fetchPage)) yield* records;
}

/** Streams pages, without records from earlier pages. Stops at a page without new records. */
export async function* eachStatusPage<Item extends { id: number }>(
  fetchPage: (page: number | undefined) => Promise<StatusList<Item>>,
): AsyncGenerator<{ records: Item[]; total_count: number }, void, undefined> {
  const seen = new Set<number>();
  for (let page: number | undefined; ; ) {
    const list: StatusList<Item> = await fetchPage(page);
    const records = list.records.filter(({ id }) => !seen.has(id) && seen.add(id));
    yield { records, total_count: list.total_count };
    if (records.length === 0 || list.next === undefined) return;
    page = list.next;
  }
}
