/** Quotes a string as a SQL literal, for values that cannot be bound, such as file names. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Quotes a SQL identifier. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Formats an instant as DuckDB's naive UTC timestamp: `2026-11-21 08:00:00.000`. */
export function sqlTimestamp(instant: Date): string {
  return instant.toISOString().replace("T", " ").replace("Z", "");
}

/** Escapes wildcards in a path, for DuckDB functions that take a pattern. */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[]/g, "[$&]");
}

/** String literals, quoted names, comments, blanks, words, and any other character. */
const sqlParts =
  /[eE]'(?:\\[\s\S]|''|[^'\\])*'|'(?:''|[^'])*'|"(?:""|[^"])*"|(\$\w*\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\/|\s+|\w+|[\s\S]/g;

const isEmpty = (part: string) => /^(?:\s|--|\/\*)/.test(part);

/** Lists the words, literals and symbols of a statement, without comments. */
export function listSqlParts(sql: string): string[] {
  return (sql.match(sqlParts) ?? []).filter((part) => !isEmpty(part));
}

/** Replaces final semicolons, even before comments, with blanks, so that a select can be embedded in another. */
export function blankFinalSemicolons(sql: string): string {
  const parts = sql.match(sqlParts) ?? [];
  const last = parts.findLastIndex((part) => part !== ";" && !isEmpty(part));
  return parts.map((part, index) => (part === ";" && index > last ? " " : part)).join("");
}

/** A value in reports, checks and tests. */
export type SqlValue = string | number | bigint | boolean | null | SqlValue[] | { [name: string]: SqlValue };
export type SqlRow = Record<string, SqlValue>;

/** Converts a decimal to a `number` if it has at most 15 digits, so that it is exact. Otherwise, returns the text. */
export function narrowDecimal(text: string): number | string {
  const digits = text.replace(/[-.]/g, "").replace(/^0+/, "");
  return digits.length <= 15 ? Number(text) : text;
}

/** Converts an integer to a `number` if that is exact. */
export function narrow(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}
