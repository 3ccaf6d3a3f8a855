import type { Context } from "hono";
import { RefusalError } from "../refusal-error.ts";
import { findQueryInteger } from "../requests/request-inputs.ts";

/** Page size if the request has no limit. */
const defaultLimit = 100;

export interface PageInputs {
  limit: number;
  offset: number;
}

/** @param maxRecords maximum page size. @throws {RefusalError} 400 for an invalid limit or offset */
export function readPageInputs(c: Context, maxRecords: number): PageInputs {
  const requested = findQueryInteger(c, "limit") ?? defaultLimit;
  const offset = findQueryInteger(c, "offset") ?? 0;
  if (requested < 1)
    throw new RefusalError(400, "invalid_parameter", `limit must be at least 1, not ${requested}.`);
  if (offset < 0) throw new RefusalError(400, "invalid_parameter", `offset must not be negative: ${offset}.`);
  return { limit: Math.min(requested, maxRecords), offset };
}

/** Returns every field of a paginated response except `data`. */
export function buildPageEnvelope(totalCount: number, { limit, offset }: PageInputs): Record<string, number> {
  return {
    total_count: totalCount,
    page_size: limit,
    page: Math.floor(offset / limit) + 1,
    page_count: Math.ceil(totalCount / limit),
  };
}

/** Page size, the maximum according to the service's documentation. */
const pageSize = 25;

/** Prefixes that the service uses for links to the same list. */
const linkRoots = ["/v1/", "/api/v1/", "v1/"];

/** Returns one page of a status API list, under its name, with its `meta`. */
export function statusList<Item>(
  c: Context,
  name: string,
  items: readonly Item[],
  write: (item: Item) => unknown,
): Record<string, unknown> {
  const { searchParams } = new URL(c.req.url);
  const page = parsePage(searchParams.get("page"));
  const records = items.slice((page - 1) * pageSize, page * pageSize).map(write);
  searchParams.set("page", String(page + 1));
  const root = linkRoots[page % linkRoots.length];
  const nextPage = page * pageSize < items.length ? `${root}${name}?${searchParams}` : null;
  return { [name]: records, meta: { count: records.length, total_count: items.length, next_page: nextPage } };
}

/** @throws {RefusalError} 400 for an unknown value */
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

function parsePage(text: string | null): number {
  if (text === null) return 1;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new RefusalError(400, "invalid_parameter", `page must be a whole number of 1 or more, not ${text}.`);
}
