import type { Engine } from "../../engines/engine.ts";
import { sqlName } from "../../engines/sql-text.ts";

/** `name type` of each column in its place, by table, as a statement that makes the table has them. */
export type TableColumns = Map<string, string[]>;

/** The tables of a schema at Trino. @param catalog by default that of the engine */
export async function listTableColumns(
  engine: Engine,
  schema: string,
  catalog?: string,
): Promise<TableColumns> {
  const place = catalog === undefined ? "" : `${catalog}.`;
  const rows = await engine.all<ColumnRow>(
    `select table_name as "table", column_name as name, data_type as type from ${place}information_schema.columns
    where table_schema = ? order by table_name, ordinal_position`,
    [schema],
  );
  return groupColumns(rows, (type) => type);
}

type ColumnRow = { table: string; name: string; type: string };

/** @param rows in the order of the columns */
export function groupColumns(rows: readonly ColumnRow[], typeOf: (type: string) => string): TableColumns {
  const columns: TableColumns = new Map();
  for (const { table, name, type } of rows) {
    columns.set(table, [...(columns.get(table) ?? []), columnText(name, typeOf(type))]);
  }
  return columns;
}

export function columnText(name: string, type: string): string {
  return `${sqlName(name)} ${type}`;
}

const types: Readonly<Record<string, string>> = {
  BIGINT: "bigint",
  INTEGER: "integer",
  // Iceberg has no shorter one.
  SMALLINT: "integer",
  DOUBLE: "double",
  BOOLEAN: "boolean",
  VARCHAR: "varchar",
  DATE: "date",
  TIMESTAMP: "timestamp(6)",
  // In files adjusted to UTC, for models plain.
  "TIMESTAMP WITH TIME ZONE": "timestamp(6)",
};

/** What Trino calls a column's type. @param type DuckDB's word. @throws of a type that has no counterpart: a bug */
export function trinoType(type: string): string {
  const known = type.startsWith("ENUM") ? "varchar" : types[type];
  if (known === undefined) throw new TypeError(`${type} has no counterpart at Trino`);
  return known;
}
