import type { SqlParameter } from "../../engines/engine.ts";
import { sqlName, sqlTimestamp } from "../../engines/sql-text.ts";
import { withoutHeader } from "../../mart/header-parts.ts";
import { readSql } from "../../util/files/package-files.ts";

/** A piece of SQL with its parameter values, in order. Only this file creates pieces. */
class Piece {
  readonly text: string;
  readonly values: readonly SqlParameter[];

  constructor(text: string, values: readonly SqlParameter[] = []) {
    this.text = text;
    this.values = values;
  }
}
export type Sql = Piece;

/**
 * Composes SQL from a template, which accepts only other pieces: `date`, `int` and `text` bind a value, `name` and
 * `quoted` check a name.
 */
export function sql(strings: TemplateStringsArray, ...pieces: readonly Sql[]): Sql {
  const text = [strings[0] ?? ""];
  const values: SqlParameter[] = [];
  pieces.forEach((piece, index) => {
    if (!(piece instanceof Piece)) throw new TypeError(`not a piece of SQL: ${String(piece)}`);
    text.push(piece.text, strings[index + 1] ?? "");
    values.push(...piece.values);
  });
  return new Piece(text.join(""), values);
}

export const nothing = sql``;

export function join(pieces: readonly Sql[], separator = ", "): Sql {
  return new Piece(
    pieces.map(({ text }) => text).join(separator),
    pieces.flatMap(({ values }) => values),
  );
}

export function and(conditions: readonly Sql[]): Sql {
  return join(conditions, "\n    and ");
}

/** Binds a value with its type, because Trino does not infer types. */
const bind = (type: string) => (value: SqlParameter) => new Piece(`cast(? as ${type})`, [value]);
export const date = bind("date");
export const int = bind("bigint");
export const text = bind("varchar");

export function instant(value: Date): Sql {
  return bind("timestamp(6)")(sqlTimestamp(value));
}

/** Writes an integer computed by this program, such as a number of days. */
export function whole(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new TypeError(`not a whole number: ${value}`);
  return new Piece(String(value));
}

/** Writes the name of a table, column or type that this program defines. */
export function name(word: string): Sql {
  if (!/^[a-z][a-z0-9_]*$/.test(word)) throw new TypeError(`not a plain name: ${word}`);
  return new Piece(word);
}

/** Quotes a column name chosen by a user, because it may be any word, such as `order`. */
export function quoted(word: string): Sql {
  return new Piece(sqlName(word));
}

/** Returns the text of a custom select, which `checkCustomSelect` has accepted, as a piece. */
export function userSelect(text: string): Sql {
  return new Piece(text);
}

/** Returns arguments for `all` and `stream` of a published version. */
export function toStatement({ text, values }: Sql): [sql: string, parameters: SqlParameter[]] {
  return [text, [...values]];
}

/** Gives an expression an alias. */
export function as(expression: Sql, alias: string): Sql {
  return sql`${expression} as ${name(alias)}`;
}

export function isIn(
  expression: Sql,
  values: readonly (string | number)[],
  bindOne: (value: string | number) => Sql,
): Sql {
  return sql`${expression} in (${join(values.map(bindOne))})`;
}

/** Returns `with a as (…), b as (…) select …`. */
export function withTables(tables: NamedTables, select: Sql): Sql {
  return sql`with ${joinTables(tables)}\n\n${select}`;
}

type NamedTables = readonly (readonly [name: string, select: Sql])[];

/** Returns `a as (…), b as (…)`. */
export function joinTables(tables: NamedTables): Sql {
  return join(
    tables.map(([table, rows]) => sql`${name(table)} as (\n${rows}\n)`),
    ",\n\n",
  );
}

/**
 * Composes SQL from a file below `sql/` with holes such as `{{name}}`, or without holes. Like `sql`, it accepts only
 * pieces.
 */
export function fill(file: string, pieces: Readonly<Record<string, Sql>> = {}): Sql {
  const parts = withoutHeader(readSql(file))
    .trimEnd()
    .split(/\{\{(\w+)\}\}/);
  const [texts, holes] = [0, 1].map((side) => parts.filter((_part, index) => index % 2 === side));
  return sql(
    Object.assign(texts ?? [], { raw: [] }),
    ...(holes ?? []).map((hole) => {
      const piece = pieces[hole];
      if (!piece) throw new Error(`${file}: nothing fills {{${hole}}}`);
      return piece;
    }),
  );
}
