import type { PublishedMart } from "../published/published-mart.ts";
import { listWords } from "../text/list-words.ts";
import { ReportOptionError } from "./report-option-error.ts";
import type { AskedReport } from "./report-options.ts";

/** What is chosen by number alone, and where all of them are published. */
const numbered = [
  { option: "itemIds", word: "item", table: "dim_item", listing: { report: "plays", by: "item" } },
  { option: "artistIds", word: "artist", table: "dim_artist", listing: { report: "plays", by: "artist" } },
  { option: "deviceIds", word: "device", table: "dim_device", listing: { report: "devices" } },
  { option: "loadIds", word: "load", table: "fact_load", listing: { report: "loads" } },
] as const;

/**
 * That items, artists, devices and loads which a report is asked for exist.
 * @throws {ReportOptionError} naming those that do not
 */
export async function checkNumbered(mart: PublishedMart, asked: Omit<AskedReport, "chosen">): Promise<void> {
  for (const { option, word, table, listing } of numbered) {
    const ids = asked[option] ?? [];
    if (ids.length === 0) continue;
    const found = await mart.all<{ id: number | bigint }>(
      `select distinct ${word}_id as id from ${table} where ${word}_id in (${ids.join(", ")})`,
    );
    const known = new Set(found.map(({ id }) => String(id)));
    const unknown = ids.map(String).filter((id) => !known.has(id));
    if (unknown.length > 0) {
      throw new ReportOptionError(
        `--${word}`,
        (wording) => `No ${word} ${listWords(unknown, "or", 3)}.${wording.listing(listing)}`,
        listing,
      );
    }
  }
}
