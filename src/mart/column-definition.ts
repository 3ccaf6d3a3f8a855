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
export type WrittenDefinition = Partial<ColumnDefinition> & Pick<ColumnDefinition, "name">;

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
export function parseDefinition(source: string, name: string, text: string): WrittenDefinition {
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
