import { trinoLiteral } from "../../engines/trino/trino-engine.ts";
import type { PublishedMart } from "./published-mart.ts";

/** The same version, and what was asked of it for rows, as text that `venue query` takes. */
export function recordSql(mart: PublishedMart): { mart: PublishedMart; statements: string[] } {
  const statements: string[] = [];
  const stream: PublishedMart["stream"] = (sql, parameters = []) => {
    const values = [...parameters];
    statements.push(withValues(sql, () => trinoLiteral(values.shift() ?? null)));
    return mart.stream(sql, parameters);
  };
  return { mart: { ...mart, stream }, statements };
}

/** Each `?` that is a parameter becomes its value; those in texts, names and comments stay. */
function withValues(sql: string, next: () => string): string {
  return sql.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--.*$|\?/gm, (part) => (part === "?" ? next() : part));
}
