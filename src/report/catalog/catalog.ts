import { entryLoaders } from "./load-entry.ts";
import { proofTables } from "./proof.ts";
import { listVariants, type ReportEntry, type ReportRows } from "./report-entry.ts";
import { scheduledDays } from "./scheduled-days.ts";
import { countedPlays } from "./single-plays.ts";

type CatalogName = keyof typeof entryLoaders;

const entries = Object.entries(entryLoaders).map(async ([name, load]) => [name, await load()] as const);
/** All reports, in the order of `--help`. */
export const catalog = Object.fromEntries(await Promise.all(entries)) as Record<CatalogName, ReportEntry>;

/** Lists the row definitions of all reports, including those that only notes and pages use. */
export function listRows(): ReportRows[] {
  const entries = Object.values(catalog).flatMap(listVariants);
  const ofProofs = Object.values(proofTables).map(({ rows }) => rows);
  return [...new Set([...entries, scheduledDays, countedPlays, ...ofProofs])];
}

/** Lists the names of columns, dimensions and key numbers. */
export function listUsedNames(): string[] {
  return listRows().flatMap((rows) => {
    if (!("dimensions" in rows))
      return [...Object.keys(rows.columns ?? {}), ...Object.keys(rows.facts ?? {})];
    const words = Object.entries(rows.dimensions).flatMap(([word, { columns }]) => [
      word,
      ...Object.keys(columns),
    ]);
    return [...words, ...Object.keys(rows.measures)];
  });
}
