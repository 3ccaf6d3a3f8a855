import { listSql, readSql } from "../util/files/package-files.ts";
import { type HeaderEntry, parseHeaderParts, readsIn, wordsOf } from "./header-parts.ts";

/** What the opening comment of a file in `sql/reports/` says; see `sql/reports/uptime.sql` for the form. */
export interface ReportHeader {
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
export function parseReportHeader(file: string, sql: string): ReportHeader {
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
