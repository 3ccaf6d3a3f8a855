import type { Context } from "hono";
import { RefusalError } from "./refusal-error.ts";
import { findQueryInteger } from "./requests/request-inputs.ts";

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
