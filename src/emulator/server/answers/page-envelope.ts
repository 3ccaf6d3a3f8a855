import type { Context } from "hono";
import { RefusalError } from "../refusal-error.ts";
import { findQueryInteger } from "../requests/request-inputs.ts";

/** Records of a page that names no limit. */
const defaultLimit = 100;

/** Which records are asked for. */
export interface PageInputs {
  limit: number;
  offset: number;
}

/**
 * `limit` and `offset` of the query.
 * @param mostRecords that a page holds, however many are asked for
 * @throws {RefusalError} 400 for what is no limit or offset
 */
export function pageInputs(c: Context, mostRecords: number): PageInputs {
  const asked = findQueryInteger(c, "limit") ?? defaultLimit;
  const offset = findQueryInteger(c, "offset") ?? 0;
  if (asked < 1) throw new RefusalError(400, "invalid_parameter", `limit must be at least 1, not ${asked}.`);
  if (offset < 0) throw new RefusalError(400, "invalid_parameter", `offset must not be negative: ${offset}.`);
  return { limit: Math.min(asked, mostRecords), offset };
}

/** All of an answer in pages but its `data`. */
export function pageEnvelope(totalCount: number, { limit, offset }: PageInputs): Record<string, number> {
  return {
    total_count: totalCount,
    page_size: limit,
    page: Math.floor(offset / limit) + 1,
    page_count: Math.ceil(totalCount / limit),
  };
}

/** Records of a page; the service documents as many at most. */
const pageSize = 25;

/** Links that lead to the same list are written in several ways. */
const linkRoots = ["/v1/", "/api/v1/", "v1/"];

/** One page of a list of the status API, under its name, with its `meta`. */
export function statusList<Item>(
  c: Context,
  name: string,
  items: readonly Item[],
  write: (item: Item) => unknown,
): Record<string, unknown> {
  const { searchParams } = new URL(c.req.url);
  const page = pageOf(searchParams.get("page"));
  const records = items.slice((page - 1) * pageSize, page * pageSize).map(write);
  searchParams.set("page", String(page + 1));
  const root = linkRoots[page % linkRoots.length];
  const nextPage = page * pageSize < items.length ? `${root}${name}?${searchParams}` : null;
  return { [name]: records, meta: { count: records.length, total_count: items.length, next_page: nextPage } };
}

/**
 * A filter's value; undefined where it is not set.
 * @throws {RefusalError} 400 for a value that it does not know
 */
export function findFilter<Value extends string>(
  c: Context,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = new URL(c.req.url).searchParams.get(`filter[${name}]`);
  if (text === null) return undefined;
  const found = values.find((value) => value === text);
  if (found !== undefined) return found;
  throw new RefusalError(
    400,
    "invalid_filter",
    `filter[${name}] must be ${values.join(" or ")}, not ${text}.`,
  );
}

function pageOf(text: string | null): number {
  if (text === null) return 1;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new RefusalError(400, "invalid_parameter", `page must be a whole number from 1, not ${text}.`);
}
