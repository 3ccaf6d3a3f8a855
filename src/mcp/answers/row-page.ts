import { z } from "zod";
import type { Report, ReportRow, ReportValue } from "../../report/result-types.ts";

const defaultRows = 100;
export const mostRows = 1000;
/** Maximum number of characters in all values of an answer. Further rows go to the next page. */
const mostCharacters = 100_000;
/** Longer values are truncated. */
const longestValue = 2000;
/** Maximum number of rows counted beyond those shown. */
const mostCounted = 100_000;

/** Returns an integer parameter. It also accepts numbers as text, because some assistants send them. */
export function wholeNumber(least: number) {
  return z.coerce.number().int().min(least);
}

/** Tool parameters that select a page of rows. */
export const rowPageInput = {
  limit: wholeNumber(1)
    .max(mostRows)
    .optional()
    .describe(`maximum rows, up to ${mostRows} (default: ${defaultRows}; explain_cell: ${mostRows})`),
  offset: wholeNumber(0).optional().describe("rows to skip, to continue after an earlier answer"),
};

export type RowPageWords = z.infer<z.ZodObject<typeof rowPageInput>>;

export interface RowPage {
  rows: ReportRow[];
  offset: number;
  /** Number of rows after this page; counting may stop early. */
  left: number;
  isCounted: boolean;
}

/** Reads one page of rows and counts the rest, to limit the length of an answer. */
export async function readRowPage(
  rows: Report["rows"],
  { limit = defaultRows, offset = 0 }: RowPageWords,
): Promise<RowPage> {
  const page: ReportRow[] = [];
  let read = 0;
  let characters = 0;
  let isFull = false;
  let left = 0;
  for await (const row of rows) {
    read += 1;
    if (read <= offset) continue;
    if (!isFull) {
      const short = row.map(shorten);
      characters += short.reduce<number>((sum, value) => sum + String(value).length, 0);
      isFull = page.length === limit || (page.length > 0 && characters > mostCharacters);
      if (!isFull) {
        page.push(short);
        continue;
      }
    }
    left += 1;
    if (left >= mostCounted) return { rows: page, offset, left, isCounted: false };
  }
  return { rows: page, offset, left, isCounted: true };
}

/** Returns a value that fits into JSON. Numbers that JSON can't represent become text; long text is truncated. */
function shorten(value: ReportValue): ReportValue {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "number" && !Number.isFinite(value)) return null;
  return typeof value === "string" && value.length > longestValue
    ? `${value.slice(0, longestValue)}…`
    : value;
}
