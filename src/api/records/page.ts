import { z } from "zod";
import { decimalNumber, wholeNumber } from "./lenient.ts";

/** One page of records. */
export interface Page<Item> {
  /** Number of records on all pages. */
  total_count: number;
  /** Requested number of records; the last page may have fewer. */
  page_size?: number | null | undefined;
  /** Page number, starting with 1. Services that compute it as offset / limit may return fractions. */
  page?: number | null | undefined;
  page_count?: number | null | undefined;
  data: Item[];
}

/** Result for a response without content (204). */
export const emptyPage = { total_count: 0, data: [] };

/** An unreadable value does not reject the page, because these fields are informative only. */
const optionalNumber = decimalNumber.nullish().catch(undefined);

export function pageOf<Item>(item: z.ZodType<Item>): z.ZodType<Page<Item>> {
  const page = z.looseObject({
    total_count: wholeNumber,
    page_size: optionalNumber,
    page: optionalNumber,
    page_count: optionalNumber,
    data: z.array(item),
  });
  return z.preprocess(addMissingData, page);
}

/** Adds the empty list, which may be `null` or absent if the total is 0. */
function addMissingData(page: unknown): unknown {
  const { data, total_count } = Object(page) as Record<string, unknown>;
  const isEmpty = (data ?? null) === null && (total_count === 0 || total_count === "0");
  return isEmpty ? { ...Object(page), data: [] } : page;
}

/** The documented object is empty. Any other object also means success, unless it reports a failure. */
const harmlessObject = z.looseObject({
  error: z.null().optional(),
  errors: z.null().optional(),
  success: z.literal(true).optional(),
});

/** Result of a successful command: `true`, or an empty object. */
const commandResult: z.ZodType<void> = z
  .union([z.literal(true), harmlessObject], { error: "is neither true nor an empty object" })
  .transform(() => undefined);

/** Response to a command; no content (204) also means success. */
export const commandResponse = { schema: commandResult, noContent: true };
