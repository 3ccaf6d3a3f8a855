import type { DuckDb } from "../engines/duckdb/duckdb.ts";

/** Whether the mart has a table: not where it was lost, or never built. */
export async function hasMartTable(warehouse: DuckDb, table: string): Promise<boolean> {
  const found = await warehouse.find(
    `select 1 from duckdb_tables()
    where database_name = current_database() and schema_name = 'mart' and table_name = ?`,
    [table],
  );
  return found !== undefined;
}
