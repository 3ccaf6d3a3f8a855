import { z } from "zod";
import { wholeNumber } from "./lenient.ts";

/** One page of records. */
export interface Page<Item> {
  /** Records on all pages. */
  total_count: number;
  /** Records asked for; the last page may hold fewer. */
  page_size?: number | null | undefined;
  /** From 1. */
  page?: number | null | undefined;
  page_count?: number | null | undefined;
  data: Item[];
}

/** The schema of a page, given that of its records. */
export function pageOf<Item>(item: z.ZodType<Item>): z.ZodType<Page<Item>> {
  return z.looseObject({
    total_count: wholeNumber,
    page_size: wholeNumber.nullish(),
    page: wholeNumber.nullish(),
    page_count: wholeNumber.nullish(),
    data: z.array(item),
  });
}
