import { sqlName } from "../sql-text.ts";

/** A text, a comment, a name that nothing qualifies and that qualifies another, or any other quoted name. */
const namesAndWhatHidesThem =
  /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|(?<![\w$"]|\.\s*)(?<schema>"(?:[^"]|"")*"|[A-Za-z_]\w*)(?=\s*\.)|"(?:[^"]|"")*"/g;

/**
 * SQL whose schemas are called as they are at Trino, wherever they qualify a table: `lake.play` becomes
 * `venue_core.lake.play`. Texts and comments stay as they are.
 * @param schemas `catalog.schema` by our names, which are lower case
 */
export function renameSchemas(sql: string, schemas: Readonly<Record<string, string>>): string {
  return sql.replace(namesAndWhatHidesThem, (found: string, ...rest: unknown[]) => {
    const { schema } = rest.at(-1) as { schema?: string };
    if (schema === undefined) return found;
    const name = schema.startsWith('"') ? schema.slice(1, -1).replaceAll('""', '"') : schema.toLowerCase();
    return Object.hasOwn(schemas, name) ? quoteParts(schemas[name] ?? "") : found;
  });
}

function quoteParts(name: string): string {
  return name
    .split(".")
    .map((part) => (/^[a-z_][a-z0-9_]*$/.test(part) ? part : sqlName(part)))
    .join(".");
}
