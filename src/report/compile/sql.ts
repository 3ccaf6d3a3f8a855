import type { SqlParameter } from "../../engines/engine.ts";
import { sqlName, sqlTimestamp } from "../../engines/sql-text.ts";
import { withoutHeader } from "../../mart/header-parts.ts";
import { readSql } from "../../util/files/package-files.ts";

/** A piece of SQL with the values of its parameters, in order. Only this file makes one. */
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
 * Composes SQL from a template. It takes only other pieces: a value passes through `date`, `int` or `text`,
 * which bind it, and a name through `name` or `quoted`.
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

/** Binds a value with its type, because Trino infers none. */
const bind = (type: string) => (value: SqlParameter) => new Piece(`cast(? as ${type})`, [value]);
export const date = bind("date");
export const int = bind("bigint");
export const text = bind("varchar");

export function instant(value: Date): Sql {
  return bind("timestamp(6)")(sqlTimestamp(value));
}

/** Writes a whole number that this program chose, such as a number of days. */
export function whole(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new TypeError(`not a whole number: ${value}`);
  return new Piece(String(value));
}

/** Writes a table, column or type that this program named. */
export function name(word: string): Sql {
  if (!/^[a-z][a-z0-9_]*$/.test(word)) throw new TypeError(`not a plain name: ${word}`);
  return new Piece(word);
}

/** Writes a column that a user named, in quotes: it may be any word, such as `order`. */
export function quoted(word: string): Sql {
  return new Piece(sqlName(word));
}

/** Takes the text of a user's select, which `checkCustomSelect` has accepted. */
export function userSelect(text: string): Sql {
  return new Piece(text);
}

/** Returns arguments for `all` and `stream` of a published version. */
export function toStatement({ text, values }: Sql): [sql: string, parameters: SqlParameter[]] {
  return [text, [...values]];
}

/** Names an expression. */
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
 * Composes SQL from a file below `sql/` with holes such as `{{name}}`, or without any. It takes only pieces,
 * as `sql` does.
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
