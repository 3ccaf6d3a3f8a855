import type { SqlParameter } from "../../engines/engine.ts";
import { listFilters } from "../../mart/report-header.ts";
import { bindFilters, type StatementOptions } from "../options/report-statement.ts";
import { isOfPeriod, type OwnReport } from "./own-report.ts";

export interface OwnStatement {
  sql: string;
  parameters: SqlParameter[];
  /** Lines before the file's first line. */
  lead: number;
  /** Names that the statement defines around the file's select. */
  names: readonly string[];
}

/** Any comments and blanks, then `with` or `with recursive`. */
const beginning = /^((?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*)(with\s+recursive|with)(?=\s)/i;

/**
 * Returns the statement of an own report: the relations that it reads, then its text, whose lines and columns
 * stay as they are. Without the relations of a period, attributes have their values at the time of the data.
 */
export function ownStatement(own: OwnReport, { period, ...options }: StatementOptions): OwnStatement {
  const { sql, reads } = own;
  const asked = { ...options, ...(period && isOfPeriod(own) && { period }) };
  const filters = listFilters(reads, (asked.attributes ?? []).length === 0);
  if (filters.length === 0) return { sql, parameters: [], lead: 0, names: [] };
  const relations = filters.map((filter) => `${filter.name} as (\n${filter.sql})`).join(",\n\n");
  const [, , word = ""] = beginning.exec(sql) ?? [];
  const lead = `${word === "" ? "with" : word.replace(/\s+/g, " ")} ${relations}${word === "" ? "" : ","}\n`;
  const text = sql.replace(
    beginning,
    (_found, before: string, with_: string) => before + with_.replaceAll(/\S/g, " "),
  );
  return {
    sql: lead + text,
    parameters: bindFilters(lead, asked),
    lead: lead.split("\n").length - 1,
    names: filters.map(({ name }) => name),
  };
}
