import { z } from "zod";
import { text, wholeNumber } from "../lenient.ts";

/** One page of records of the status API; at most 25. */
export interface StatusList<Item> {
  records: Item[];
  /** Records on all pages. */
  total_count: number;
  /** Number of the next page; `undefined` on the last one. */
  next: number | undefined;
}

/** The schema of a page, given the name and the schema of its records. */
export function statusListOf<Item>(name: string, item: z.ZodType<Item>): z.ZodType<StatusList<Item>> {
  return z
    .looseObject({
      [name]: z.array(item),
      meta: z.looseObject({ total_count: wholeNumber, next_page: text.nullish() }),
    })
    .transform(({ [name]: records, meta }, context) => {
      const { total_count, next_page } = meta as { total_count: number; next_page?: string | null };
      const next = next_page ? pageNumberIn(next_page) : undefined;
      if (next_page && next === undefined) {
        context.addIssue({ code: "custom", path: ["meta", "next_page"], message: "names no page" });
      }
      return { records: records as Item[], total_count, next };
    });
}

/**
 * The number of the page that a link leads to. Its path is not looked at: some links lack `/api`, some begin with
 * `/v1/`.
 */
function pageNumberIn(link: string): number | undefined {
  const page = /^\d+$/.test(link) ? link : new URLSearchParams(link.replace(/^[^?]*\?/, "")).get("page");
  const number = /^\d+$/.test(page ?? "") ? Number(page) : undefined;
  return number !== undefined && number > 0 && Number.isSafeInteger(number) ? number : undefined;
}
