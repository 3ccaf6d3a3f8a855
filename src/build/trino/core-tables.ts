import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { Engine } from "../../engines/engine.ts";
import { sqlName } from "../../engines/sql-text.ts";
import { builderTables } from "../../lake/layout.ts";
import { groupColumns, listTableColumns, type TableColumns, trinoType } from "./table-columns.ts";

/**
 * Makes the tables of `core` as those of a warehouse. Where another version of the program made them otherwise, all are
 * made anew: what they hold comes from the lake, or follows from it. Those that a builder writes itself stay as long as
 * their columns do: else versions would begin anew with names that readers know, and restatements would be gone.
 * @param template a warehouse that was just made
 * @returns whether they were made now, and are empty
 */
export async function makeCoreTables(engine: Engine, template: DuckDb): Promise<boolean> {
  const wanted = await columnsOfTemplate(template);
  const found = await listTableColumns(engine, "core");
  const isSame = (table: string) => found.get(table)?.join() === wanted.get(table)?.join();
  if ([...wanted.keys()].every(isSame)) return false;
  const isKept = (table: string) => builderTables.has(table) && isSame(table);
  for (const table of found.keys()) {
    if (!isKept(table)) await engine.run(`drop table core.${sqlName(table)}`);
  }
  for (const [table, columns] of wanted) {
    if (isKept(table)) continue;
    const byMonth = table === "play" ? " with (partitioning = array['month(date)'])" : "";
    await engine.run(`create table core.${sqlName(table)} (${columns.join(", ")})${byMonth}`);
  }
  return true;
}

async function columnsOfTemplate(template: DuckDb): Promise<TableColumns> {
  const rows = await template.all<{ table: string; name: string; type: string }>(
    `select table_name as "table", column_name as name, data_type as type from duckdb_columns()
    where schema_name = 'core' order by table_name, column_index`,
  );
  return groupColumns(rows, trinoType);
}
