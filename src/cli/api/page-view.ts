import type { Page } from "../../api/records/page.ts";
import type { Logger } from "../../util/logger.ts";
import { optional, toggle } from "./flags/flag.ts";
import { values } from "./flags/flag-values.ts";
import type { Column } from "./views/columns.ts";
import { jsonText } from "./views/json-text.ts";
import { either, table, type View } from "./views/view.ts";

/** Of every action that reads pages of the main API. */
export const pageFlags = {
  limit: optional(values.limit),
  offset: optional(values.offset),
  all: toggle("all records, from --offset on"),
};

interface PageInputs {
  limit: number | undefined;
  offset: number | undefined;
  all: boolean | undefined;
}

/** One page, or with `--all` every record from the offset on. */
export function pageOrAll<Item>(
  { limit, offset, all }: PageInputs,
  fetchPage: (page: { limit: number | undefined; offset: number | undefined }) => Promise<Page<Item>>,
  eachRecord: (fetch: (offset: number) => Promise<Page<Item>>) => AsyncGenerator<Item>,
  logger: Logger,
): Promise<Page<Item>> | AsyncGenerator<Item> {
  if (!all) return fetchPage({ limit, offset });
  const skipped = offset ?? 0;
  return eachRecord(async (position) => {
    const page = await fetchPage({ limit, offset: skipped + position });
    // What was skipped is no part of what is read here.
    const total_count = Math.max(0, page.total_count - skipped);
    if (page.data.length === 0 && position < total_count) {
      logger.warn(`the service gave ${position} records and then none, though it counts ${total_count}`);
    }
    return { ...page, total_count };
  });
}

/**
 * A page as a table that says where it stands, or all records.
 * @param all how all records are shown @default as a table, too
 */
export function pageView<Item extends object>(
  columns: readonly Column[],
  all: View<AsyncGenerator<Item>> = table(...columns),
): View<Page<Item> | AsyncGenerator<Item>, PageInputs> {
  return either(isPage, onePage(columns), all);
}

function onePage<Item extends object>(columns: readonly Column[]): View<Page<Item>, PageInputs> {
  const rows = table(...columns);
  return {
    async *text(page, options) {
      yield* rows.text(page.data, options);
      const first = (options.inputs.offset ?? 0) + 1;
      const last = first + page.data.length - 1;
      if (page.data.length > 0) yield `Records ${first} to ${last} of ${page.total_count}.\n`;
      else yield `None from record ${first} on, of ${page.total_count}.\n`;
    },
    async *json(page) {
      yield `${jsonText(page, 2)}\n`;
    },
  };
}

function isPage<Item>(answer: Page<Item> | AsyncGenerator<Item>): answer is Page<Item> {
  return "data" in answer;
}
