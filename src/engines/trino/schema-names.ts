import { sqlName } from "../sql-text.ts";
import { replaceNames } from "./names-in-sql.ts";

/**
 * SQL whose schemas are called as they are at Trino, wherever they qualify a table: `lake.play` becomes
 * `venue_core.lake.play`. Texts and comments stay as they are.
 * @param schemas `catalog.schema` by our names, which are lower case
 */
export function renameSchemas(sql: string, schemas: Readonly<Record<string, string>>): string {
  return replaceNames(sql, ([schema = "", ...others], written) => {
    if (others.length === 0 || !Object.hasOwn(schemas, schema)) return written;
    return written.replace(/^("(?:[^"]|"")*"|\w+)/, () => quoteParts(schemas[schema] ?? ""));
  });
}

function quoteParts(name: string): string {
  return name
    .split(".")
    .map((part) => (/^[a-z_][a-z0-9_]*$/.test(part) ? part : sqlName(part)))
    .join(".");
}
