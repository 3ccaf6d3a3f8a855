import { sqlName } from "../sql-text.ts";

/** Matches leading comments and blanks, and the keyword that starts a query. */
const beginning = /^((?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*)(with(?:\s+recursive)?\s|(?=select\b|\())/i;

/**
 * Rewrites a statement to read other relations in place of some tables. Names with a schema are replaced
 * everywhere. Names without a schema become common table expressions, placed before those of the query.
 * Statements that are not queries keep names without a schema.
 * @param relations SQL that may follow `from`, keyed by `table` or `schema.table`
 */
export function replaceTables(sql: string, relations: Readonly<Record<string, string>>): string {
  const isQuery = beginning.test(sql);
  const named = new Set<string>();
  const query = replaceNames(sql, (parts, written) => {
    const name = parts.join(".");
    if (!Object.hasOwn(relations, name)) return written;
    if (parts.length > 1) return relations[name] ?? written;
    if (isQuery) named.add(name);
    return written;
  });
  if (named.size === 0) return query;
  const tables = [...named]
    .map((name) => `${sqlName(name)} as (select * from ${relations[name]})`)
    .join(", ");
  return query.replace(beginning, (_found, before: string, word: string) =>
    word === "" ? `${before}with ${tables} ` : `${before}${word}${tables}, `,
  );
}

/** Matches a string literal, a comment, or a qualified name. */
const tokens =
  /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|(?<![\w$"]|\.\s*)(?<name>(?:"(?:[^"]|"")*"|[A-Za-z_]\w*)(?:\s*\.\s*(?:"(?:[^"]|"")*"|[A-Za-z_]\w*))*)|"(?:[^"]|"")*"/g;
const part = /"(?:[^"]|"")*"|\w+/g;

/**
 * Replaces names in SQL. Leaves string literals and comments alone.
 * @param replace receives a name's parts, unquoted and (unless they were quoted) in lower case, and its
 *   original text
 */
function replaceNames(sql: string, replace: (parts: readonly string[], written: string) => string): string {
  return sql.replace(tokens, (found: string, ...rest: unknown[]) => {
    const { name } = rest.at(-1) as { name?: string };
    if (name === undefined) return found;
    return replace(
      Array.from(name.matchAll(part), ([text]) => unquoteName(text)),
      name,
    );
  });
}

function unquoteName(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written.toLowerCase();
}
