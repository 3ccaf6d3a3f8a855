import { hasSql, readSql } from "../util/files/package-files.ts";
import { type ColumnDefinition, parseDefinition, type WrittenDefinition } from "./column-definition.ts";
import type { HeaderEntry } from "./header-parts.ts";
import { parseModelHeader } from "./model-header.ts";
import { readReportHeader } from "./report-header.ts";

const known = new Map<string, readonly ColumnDefinition[]>();

/**
 * What the columns of a table of the mart, or of a report's statement, mean: in their order, and then the facts of the
 * report's page.
 * @param source e.g. `fact_play_day`, `uptime` or `quality/10_published`
 * @throws {SyntaxError} when a header has no definition of a column, or names a column that there is not
 */
export function describeColumns(source: string): readonly ColumnDefinition[] {
  const described = known.get(source);
  if (described) return described;
  const definitions = entriesOf(source).map(({ name, text }) =>
    complete(source, parseDefinition(source, name, text)),
  );
  known.set(source, definitions);
  return definitions;
}

function entriesOf(source: string): readonly HeaderEntry[] {
  const model = `models/mart/${source}.sql`;
  if (hasSql(model)) return parseModelHeader(source, readSql(model)).columns;
  const { columns, facts, columnsOf } = readReportHeader(source);
  return columnsOf === undefined ? [...columns, ...facts] : entriesOf(columnsOf);
}

/** With what the column that it is like says. */
function complete(source: string, written: WrittenDefinition): ColumnDefinition {
  const { like = "", ...own } = written;
  const [table = "", column] = like.split(".");
  if (!like) return written as ColumnDefinition;
  const other = describeColumns(table).find(({ name }) => name === column);
  if (!other) throw new SyntaxError(`${source}.${written.name}: there is no column ${like}`);
  const { name: _name, like: _like, note, ...said } = other;
  // A definition of its own has a note of its own, or none.
  return { ...said, ...(note && own.definition === undefined && { note }), ...own, like };
}
