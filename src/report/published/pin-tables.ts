/** A text, a comment, a quoted name, or the name that follows `from` or `join`, with its schema. */
const namesAndWhatHidesThem =
  /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|\b(?<keyword>from|join)(?<space>\s+)(?:(?<schema>[a-z_]\w*)\.)?(?<table>[a-z_]\w*)\b(?!\s*\()/gi;

/**
 * SQL that reads tables as they were in one version, whatever is shown meanwhile: Trino's `for version as of`.
 * @param snapshots of each table, as `schema.table`; a table without a schema is one of `mart`
 */
export function pinTables(sql: string, snapshots: ReadonlyMap<string, string>): string {
  const defined = new Set(
    Array.from(sql.matchAll(/\b([a-z_]\w*)\s+as\s+\(/gi), ([, name = ""]) => name.toLowerCase()),
  );
  return sql.replace(namesAndWhatHidesThem, (found: string, ...rest: unknown[]) => {
    const { schema, table } = rest.at(-1) as { schema?: string; table?: string };
    if (table === undefined || (schema === undefined && defined.has(table.toLowerCase()))) return found;
    const snapshot = snapshots.get(`${schema ?? "mart"}.${table}`.toLowerCase());
    return snapshot === undefined ? found : `${found} for version as of ${snapshot}`;
  });
}
