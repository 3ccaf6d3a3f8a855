import { hasSql, readSql } from "../util/files/package-files.ts";
import type { HeaderEntry } from "./header-parts.ts";
import { parseModelHeader } from "./model.ts";
import { readReportHeader } from "./report-header.ts";

/**
 * What a column's values are. A count and a number are amounts; an id and an ordinal say which one, so they are
 * neither added up nor written with separators. Sentences are a text that may go on over several lines.
 */
const units = [
  "text",
  "sentences",
  "id",
  "ordinal",
  "count",
  "number",
  "share",
  "seconds",
  "minutes",
  "bytes",
  "megabytes",
  "kilobits per second",
  "degrees",
  "date",
  "instant",
  "local time",
  "yes or no",
] as const;
export type Unit = (typeof units)[number];

/** What a column means, as the header of the model or report that makes it says. */
export interface ColumnDefinition {
  name: string;
  /** What people call it. */
  label: string;
  unit: Unit;
  /** In one sentence. */
  definition: string;
  /** What to know beyond it. */
  note?: string;
  /** The column, as `table.column`, whose definition this one takes over, in whole or its label and unit alone. */
  like?: string;
}

/** An entry of a header as it is written: all of a definition, or what differs from that of another column. */
type WrittenDefinition = Partial<ColumnDefinition> & Pick<ColumnDefinition, "name">;

/**
 * One of:
 *
 * - `Label (unit): Definition. Note: More of it.`; the note may be missing
 * - `= table.column`: what that column means
 * - `= table.column: Definition. Note: More of it.`: its label and unit, with another definition
 *
 * @param source the model or report whose header it is
 * @throws {SyntaxError} naming the column when the text has none of these forms
 */
function parseDefinition(source: string, name: string, text: string): WrittenDefinition {
  const { like, label, unit, rest } =
    (
      /^= (?<like>\w+\.\w+)(?:: (?<rest>.+))?$/.exec(text) ??
      /^(?<label>[^:()]+) \((?<unit>[^)]+)\): (?<rest>.+)$/.exec(text)
    )?.groups ?? {};
  const known = units.find((word) => word === unit);
  const isSentence = rest === undefined || rest.endsWith(".");
  if ((!like && !(label && known)) || !isSentence) {
    throw new SyntaxError(
      `${source}.${name}: "${text}" should be Label (unit): Definition. or = table.column; units are ${units.join(", ")}`,
    );
  }
  const [definition, note] = rest?.split(" Note: ") ?? [];
  return {
    name,
    ...(like && { like }),
    ...(label && known && { label, unit: known }),
    ...(definition && { definition }),
    ...(note && { note }),
  };
}

/** All that is said of a column, in one text. */
export function fullDefinition({ definition, note }: Pick<ColumnDefinition, "definition" | "note">): string {
  return note === undefined ? definition : `${definition} ${note}`;
}

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
