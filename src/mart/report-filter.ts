import { hasSql, readSql } from "../util/files/package-files.ts";
import { readsOf, withoutHeader } from "./header-parts.ts";

/** A select in `sql/filters/` that reports name as if it were a table. */
export interface ReportFilter {
  name: string;
  /** The select, without its header. */
  sql: string;
  /** Tables of the mart, and other filters. */
  reads: string[];
}

/** `undefined` where there is none of that name: it is a table. */
function findFilter(name: string): ReportFilter | undefined {
  const file = `filters/${name}.sql`;
  if (!hasSql(file)) return undefined;
  const text = readSql(file);
  return { name, sql: withoutHeader(text), reads: readsOf(file, text) };
}

/** The filters among what a statement reads, and those that these read: each after what it reads. */
export function filtersOf(reads: readonly string[]): ReportFilter[] {
  const filters = new Map<string, ReportFilter>();
  for (const filter of reads.flatMap((name) => findFilter(name) ?? [])) {
    for (const earlier of filtersOf(filter.reads)) filters.set(earlier.name, earlier);
    filters.set(filter.name, filter);
  }
  return [...filters.values()];
}

/** What a statement reads, with the tables of its filters instead of these. */
export function tablesOf(reads: readonly string[]): string[] {
  const filters = filtersOf(reads);
  const names = new Set(filters.map(({ name }) => name));
  return [...new Set([...reads, ...filters.flatMap((filter) => filter.reads)])].filter(
    (name) => !names.has(name),
  );
}
