import { hasSql, listSql, readSql } from "../util/files/package-files.ts";
import {
  type HeaderEntry,
  parseHeaderParts,
  readsIn,
  readsOf,
  withoutHeader,
  wordsOf,
} from "./header-parts.ts";

/** What the opening comment of a file in `sql/reports/` says; see `sql/reports/uptime.sql` for the form. */
interface ReportHeader {
  /** What its rows are, in words. */
  summary: string;
  /** The reports that it serves. */
  reports: string[];
  /** What it reads: tables of the mart by their names alone, views of staging as `staging.view`. */
  reads: string[];
  /** The columns that each word of `--by` brings, in the order of the columns. */
  by: ReadonlyMap<string, readonly string[]>;
  /** Columns of which each row has but one by a word of `--by`, which leaves them out. */
  single: ReadonlyMap<string, string>;
  /** Columns that are for notes beside the rows. */
  unshown: string[];
  /** Figures of which another period's says nothing. */
  uncompared: string[];
  /** The file whose columns it has, where its header does not describe them itself. */
  columnsOf: string | undefined;
  /** What each column means, in their order: definitions (`column-definition.ts`). */
  columns: readonly HeaderEntry[];
  /** What the report's page makes of the rows: definitions as well. */
  facts: readonly HeaderEntry[];
}

const headers = new Map<string, ReportHeader>();

/**
 * @param file below `sql/reports/`, without its ending, e.g. `quality/30_loads`
 * @throws {SyntaxError} when a part is missing or malformed
 */
export function readReportHeader(file: string): ReportHeader {
  const known = headers.get(file);
  if (known) return known;
  const header = parseReportHeader(file, readSql(`reports/${file}.sql`));
  headers.set(file, header);
  return header;
}

/** Every file below `sql/reports/`, without its ending. */
export function listReportFiles(): string[] {
  return listSql("reports").map((file) => file.slice(0, -".sql".length));
}

/** @throws {SyntaxError} when a part is missing or malformed */
function parseReportHeader(file: string, sql: string): ReportHeader {
  const words = ["For", "Reads", "By", "Unshown", "Columns", "Facts", "Single", "Uncompared"];
  const { summary, fields, lists } = parseHeaderParts(file, sql, words);
  const columnsOf = /^as (.+)$/.exec(fields.get("Columns") ?? "")?.[1];
  if (!summary || !fields.has("Reads") || (!lists.has("Columns") && columnsOf === undefined)) {
    throw new SyntaxError(`${file}: the header lacks its first sentence, "Reads:" or "Columns:"`);
  }
  const [own = file] = file.split("/");
  return {
    summary,
    reports: fields.has("For") ? wordsOf(fields.get("For")) : [own],
    reads: readsIn(fields.get("Reads")),
    by: new Map((lists.get("By") ?? []).map(({ name, text }) => [name, wordsOf(text)])),
    single: new Map((lists.get("Single") ?? []).map(({ name, text }) => [name, text])),
    unshown: wordsOf(fields.get("Unshown")),
    uncompared: wordsOf(fields.get("Uncompared")),
    columnsOf,
    columns: lists.get("Columns") ?? [],
    facts: lists.get("Facts") ?? [],
  };
}

/** A select in `sql/filters/` that reports name as if it were a table. */
interface ReportFilter {
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
