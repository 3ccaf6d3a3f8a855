import { sqlName } from "../sql-text.ts";
import { replaceNames } from "./names-in-sql.ts";

/** Comments and blanks, and the word that begins a query. */
const beginning = /^((?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*)(with(?:\s+recursive)?\s|(?=select\b|\())/i;

/**
 * A query that reads other relations in the place of some tables: of those that it names with their schema wherever they
 * stand, of those that it names without as common table expressions before its own. Other statements stay as they are.
 * @param relations by `table` or `schema.table`: what may follow a `from`
 */
export function replaceTables(sql: string, relations: Readonly<Record<string, string>>): string {
  if (!beginning.test(sql)) return sql;
  const named = new Set<string>();
  const query = replaceNames(sql, (parts, written) => {
    const name = parts.join(".");
    if (!Object.hasOwn(relations, name)) return written;
    if (parts.length > 1) return relations[name] ?? written;
    named.add(name);
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
