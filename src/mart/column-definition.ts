import type { HeaderEntry } from "./header-parts.ts";
import { readModel } from "./model.ts";

/**
 * Units of column values. Counts and numbers are amounts. Ids and ordinals only identify something, so they
 * are never summed, and are written without separators. Sentences are text that may span several lines.
 */
export const units = [
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

/** Meaning of a column, from the header of its model, or from the catalog of reports. */
export interface ColumnDefinition {
  name: string;
  /** Name shown to people. */
  label: string;
  unit: Unit;
  /** One sentence. */
  definition: string;
  note?: string;
  /** Column (`table.column`) whose definition this one inherits, in whole or only its label and unit. */
  like?: string;
}

/** A definition as written: complete, or the column that it is `like` and the differences from that column. */
export type Definition = Partial<Omit<ColumnDefinition, "name">>;
type WrittenDefinition = Definition & Pick<ColumnDefinition, "name">;

/**
 * Accepts:
 *
 * - `Label (unit): Definition. Note: More of it.`; the note is optional
 * - `= table.column`: inherits that column's definition
 * - `= table.column: Definition. Note: More of it.`: inherits its label and unit
 * - `Label (unit) = table.column: Definition.`: inherits nothing
 *
 * If that column is the key of its table, builds check that each value exists there, unless the definition contains
 * `may be unknown`, and that no value is missing, unless it contains `null`.
 *
 * @param source the model or report with this header
 * @throws {SyntaxError} naming the column when the text has none of these forms
 */
function parseDefinition(source: string, name: string, text: string): WrittenDefinition {
  const { like, label, unit, rest } =
    (
      /^(?:(?<label>[^:()]+) \((?<unit>[^)]+)\) )?= (?<like>\w+\.\w+)(?:: (?<rest>.+))?$/.exec(text) ??
      /^(?<label>[^:()]+) \((?<unit>[^)]+)\): (?<rest>.+)$/.exec(text)
    )?.groups ?? {};
  const known = units.find((word) => word === unit);
  const isSentence = rest === undefined || rest.endsWith(".");
  if ((label ? !known : !like) || !isSentence) {
    throw new SyntaxError(
      `${source}, column ${name}: "${text}" should be Label (unit): Definition. or = table.column; units are ${units.join(", ")}`,
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

/** Parses a column definition in a custom report. @throws {SyntaxError} as `describeColumns` does */
export function parseColumn(source: string, { name, text }: HeaderEntry): ColumnDefinition {
  return inheritDefinition(source, parseDefinition(source, name, text));
}

/** Returns a column's definition and note as one text. */
export function joinDefinition({ definition, note }: Pick<ColumnDefinition, "definition" | "note">): string {
  return note === undefined ? definition : `${definition} ${note}`;
}

const known = new Map<string, readonly ColumnDefinition[]>();

/**
 * Returns the column definitions of a mart table, in order.
 * @param source e.g. `fact_play_day`
 * @throws {SyntaxError} when a header lacks the definition of a column, or refers to an unknown column
 */
export function describeColumns(source: string): readonly ColumnDefinition[] {
  const described = known.get(source);
  if (described) return described;
  const { columns } = readModel("mart", source);
  const definitions = columns.map(({ name, text }) =>
    inheritDefinition(source, parseDefinition(source, name, text)),
  );
  known.set(source, definitions);
  return definitions;
}

/** Fills in the definition that a column inherits. @param source the table or report with the column */
export function inheritDefinition(source: string, written: WrittenDefinition): ColumnDefinition {
  const { like = "", ...own } = written;
  const [table = "", column] = like.split(".");
  if (!like || own.label) return written as ColumnDefinition;
  const other = describeColumns(table).find(({ name }) => name === column);
  if (!other) throw new SyntaxError(`${source}, column ${written.name}: unknown column ${like}`);
  const { name: _name, like: _like, note, ...base } = other;
  // If a column has its own definition, the inherited note is dropped.
  return { ...base, ...(note && own.definition === undefined && { note }), ...own, like };
}
