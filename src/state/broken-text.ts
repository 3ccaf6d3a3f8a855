import { isUtf8 } from "node:buffer";
import type { Sqlite } from "./sqlite.ts";

/**
 * Whether a database holds text that is not UTF-8, or indexes that say something else than their tables: the library ends the
 * whole process where it comes upon such text, so it is asked for as hexadecimal digits. Text of ASCII alone stays in SQLite.
 */
export function hasBrokenText(database: Sqlite): boolean {
  const tables = findTexts(database, "select hex(name) as hex from sqlite_master where type = 'table'");
  if (tables === undefined || tables.some((table) => isTableBroken(database, table))) return true;
  const [first] = database.all<{ integrity_check: string }>("pragma integrity_check(1)");
  return first?.integrity_check !== "ok";
}

function isTableBroken(database: Sqlite, table: string): boolean {
  const columns = findTexts(database, "select hex(name) as hex from pragma_table_info(?)", [table]);
  if (columns === undefined) return true;
  return columns.map(quoted).some((column) => {
    const hasOtherBytes = `${column} glob '*[^ -~]*' or length(${column}) <> length(cast(${column} as blob))`;
    const sql = `select hex(${column}) as hex from ${quoted(table)} where typeof(${column}) = 'text' and (${hasOtherBytes})`;
    return findTexts(database, sql) === undefined;
  });
}

/** Texts that a statement gives as hexadecimal digits; `undefined` where one is not UTF-8. */
function findTexts(database: Sqlite, sql: string, parameters: readonly string[] = []): string[] | undefined {
  const texts = database.all<{ hex: string }>(sql, parameters).map(({ hex }) => Buffer.from(hex, "hex"));
  return texts.every((bytes) => isUtf8(bytes)) ? texts.map((bytes) => bytes.toString("utf8")) : undefined;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
