import { isUtf8 } from "node:buffer";
import type { Sqlite } from "./sqlite.ts";

/**
 * Whether some text in a database is not UTF-8: the library ends the whole process where it comes upon one, so all text is
 * looked at as hexadecimal digits first. For databases of some megabytes.
 */
export function hasBrokenText(database: Sqlite): boolean {
  const tables = findText(database, "select hex(name) as hex from sqlite_master where type = 'table'");
  return tables === undefined || tables.some((table) => isTableBroken(database, table));
}

function isTableBroken(database: Sqlite, table: string): boolean {
  const columns = findText(database, "select hex(name) as hex from pragma_table_info(?)", [table]);
  if (columns === undefined) return true;
  const digits = columns.map(
    (name) => `case typeof(${quoted(name)}) when 'text' then hex(${quoted(name)}) else '' end`,
  );
  return (
    findText(database, `select ${digits.join(" || '0A' || ")} as hex from ${quoted(table)}`) === undefined
  );
}

/** Texts that a statement gives as hexadecimal digits; `undefined` where one is not UTF-8. */
function findText(database: Sqlite, sql: string, parameters: readonly string[] = []): string[] | undefined {
  const texts = database.all<{ hex: string }>(sql, parameters).map(({ hex }) => Buffer.from(hex, "hex"));
  return texts.every((bytes) => isUtf8(bytes)) ? texts.map((bytes) => bytes.toString("utf8")) : undefined;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
