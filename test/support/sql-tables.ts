import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { childNodes, commonTables, parseSelect, type SqlNode } from "../../src/engines/duckdb/sql-tree.ts";

/**
 * The tables and views that a select reads, as `schema.table` (`table` alone if unqualified), sorted. Common
 * table expressions are excluded wherever they hide a table of the same name.
 * @throws when the text is not exactly one select
 */
export async function listTables(database: DuckDb, sql: string): Promise<string[]> {
  const found = new Set<string>();
  collectTables(await parseSelect(database, sql), new Set(), found);
  return [...found].sort();
}

function collectTables(node: SqlNode, hidden: ReadonlySet<string>, tables: Set<string>): void {
  if (node.type === "BASE_TABLE") {
    const schema = String(node.schema_name).toLowerCase();
    const table = String(node.table_name).toLowerCase();
    if (schema) tables.add(`${schema}.${table}`);
    else if (!hidden.has(table)) tables.add(table);
  }
  const visible = new Set(hidden);
  if (node.type === "RECURSIVE_CTE_NODE") visible.add(String(node.cte_name).toLowerCase());
  for (const { name, query } of commonTables(node)) {
    // A common table expression sees earlier ones; its own name hides tables only from later ones.
    collectTables(query, visible, tables);
    visible.add(name);
  }
  const { cte_map: _defined, ...rest } = node;
  for (const child of childNodes(rest)) collectTables(child, visible, tables);
}
