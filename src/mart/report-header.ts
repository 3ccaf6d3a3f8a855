import { hasSql, listSql, readSql } from "../util/files/package-files.ts";
import type { AttributeSubject } from "./attribute.ts";
import {
  type HeaderEntry,
  listReads,
  parseHeaderParts,
  parseReadsField,
  withoutHeader,
  wordsOf,
} from "./header-parts.ts";

/** The opening comment of a file in `sql/reports/`; see `sql/reports/quality/10_published.sql` for the form. */
interface ReportHeader {
  /** Describes its rows. */
  summary: string;
  /** Reports that use the file. */
  reports: string[];
  /** Inputs: tables of the mart by plain name, views of staging as `staging.view`. */
  reads: string[];
  /** Columns that each `--by` word adds, in order. */
  by: ReadonlyMap<string, readonly string[]>;
  /** Subjects whose attributes group and filter its rows, in the order in which a name is looked up. */
  attributes: readonly AttributeSubject[];
  /**
   * `--by` words that leave out a column, keyed by column: with such a word, a count would be 1 in every row,
   * and a date one of few.
   */
  single: ReadonlyMap<string, readonly string[]>;
  /** Columns used only for notes. */
  unshown: string[];
  /** Figures that are not compared between periods. */
  uncompared: string[];
  /** The file that describes its columns, if its own header does not. */
  columnsOf: string | undefined;
  /** Column definitions in order (`column-definition.ts`). */
  columns: readonly HeaderEntry[];
  /** Definitions of figures that the report's page derives from the rows. */
  facts: readonly HeaderEntry[];
}

const headers = new Map<string, ReportHeader>();

/** @param file without extension, e.g. `quality/30_loads`. @throws {SyntaxError} when it is malformed */
export function readReportHeader(file: string): ReportHeader {
  const known = headers.get(file);
  if (known) return known;
  const header = parseReportHeader(file, readSql(`reports/${file}.sql`));
  headers.set(file, header);
  return header;
}

/** Lists all but templates, which the catalog describes. */
export function listReportFiles(): string[] {
  const files = listSql("reports").filter((file) => !file.startsWith("templates/"));
  return files.map((file) => file.slice(0, -".sql".length));
}

/** @throws {SyntaxError} when a part is missing or malformed */
function parseReportHeader(file: string, sql: string): ReportHeader {
  const words = ["For", "Reads", "By", "Unshown", "Columns", "Facts", "Single", "Uncompared", "Attributes"];
  const { summary, fields, lists } = parseHeaderParts(file, sql, words);
  const columnsOf = /^as (.+)$/.exec(fields.get("Columns") ?? "")?.[1];
  if (!summary || !fields.has("Reads") || (!lists.has("Columns") && columnsOf === undefined)) {
    throw new SyntaxError(`${file}: the header lacks its first sentence, "Reads:" or "Columns:"`);
  }
  const [own = file] = file.split("/");
  return {
    summary,
    reports: fields.has("For") ? wordsOf(fields.get("For")) : [own],
    reads: parseReadsField(fields.get("Reads")),
    by: new Map((lists.get("By") ?? []).map(({ name, text }) => [name, wordsOf(text)])),
    single: new Map((lists.get("Single") ?? []).map(({ name, text }) => [name, wordsOf(text)])),
    attributes: wordsOf(fields.get("Attributes")) as AttributeSubject[],
    unshown: wordsOf(fields.get("Unshown")),
    uncompared: wordsOf(fields.get("Uncompared")),
    columnsOf,
    columns: lists.get("Columns") ?? [],
    facts: lists.get("Facts") ?? [],
  };
}

/** A select in `sql/filters/` that reports use like a table. */
interface ReportFilter {
  name: string;
  /** The select, without its header. */
  sql: string;
  /** Tables of the mart, and other filters. */
  reads: string[];
}

/** Returns `undefined` if the name is a table, not a filter. */
function findFilter(name: string, isPlain: boolean): ReportFilter | undefined {
  const plain = `filters/plain/${name}.sql`;
  const file = isPlain && hasSql(plain) ? plain : `filters/${name}.sql`;
  if (!hasSql(file)) return undefined;
  const text = readSql(file);
  return { name, sql: withoutHeader(text), reads: listReads(file, text) };
}

/** @param isPlain uses the shorter filters, for statements without attributes. @default false */
export function listFilters(reads: readonly string[], isPlain = false): ReportFilter[] {
  const filters = new Map<string, ReportFilter>();
  for (const filter of reads.flatMap((name) => findFilter(name, isPlain) ?? [])) {
    for (const earlier of listFilters(filter.reads, isPlain)) filters.set(earlier.name, earlier);
    filters.set(filter.name, filter);
  }
  return [...filters.values()];
}

/**
 * Returns the tables that a statement reads, directly or through its filters.
 * @param isPlain for statements without attributes. @default false
 */
export function tablesOf(reads: readonly string[], isPlain = false): string[] {
  const filters = listFilters(reads, isPlain);
  const names = new Set(filters.map(({ name }) => name));
  return [...new Set([...reads, ...filters.flatMap((filter) => filter.reads)])].filter(
    (name) => !names.has(name),
  );
}
