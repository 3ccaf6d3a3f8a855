import { z } from "zod";
import { decimalNumber, wholeNumber } from "./lenient.ts";

/** One page of records. */
export interface Page<Item> {
  /** Records on all pages. */
  total_count: number;
  /** Records asked for; the last page may hold fewer. */
  page_size?: number | null | undefined;
  /** From 1. Services that divide by the limit tell parts of pages, too. */
  page?: number | null | undefined;
  page_count?: number | null | undefined;
  data: Item[];
}

/** What no content (204) stands for. */
export const emptyPage = { total_count: 0, data: [] };

/** Only told: a page is none the worse for one that can't be read. */
const toldNumber = decimalNumber.nullish().catch(undefined);

/** The schema of a page, given that of its records. */
export function pageOf<Item>(item: z.ZodType<Item>): z.ZodType<Page<Item>> {
  const page = z.looseObject({
    total_count: wholeNumber,
    page_size: toldNumber,
    page: toldNumber,
    page_count: toldNumber,
    data: z.array(item),
  });
  return z.preprocess(withData, page);
}

/** Where none are counted, no records may be written as `null`, or not at all. */
function withData(page: unknown): unknown {
  const { data, total_count } = Object(page) as Record<string, unknown>;
  const isEmpty = (data ?? null) === null && (total_count === 0 || total_count === "0");
  return isEmpty ? { ...Object(page), data: [] } : page;
}

/** Objects are documented as empty; one that says more is taken for done unless it tells of a failure. */
const harmlessObject = z.looseObject({
  error: z.null().optional(),
  errors: z.null().optional(),
  success: z.literal(true).optional(),
});

/** What a command answers once it is carried out: `true`, or an empty object. */
const commandResult: z.ZodType<void> = z
  .union([z.literal(true), harmlessObject], { error: "is neither true nor an empty object" })
  .transform(() => undefined);

/** How a request for a command is answered: no content (204) says that it is carried out, too. */
export const commandAnswer = { answer: commandResult, noContent: true };
