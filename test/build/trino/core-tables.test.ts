import { expect, it } from "vitest";
import { createCoreTables, toTrinoType } from "../../../src/build/trino/core-tables.ts";
import type { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import type { Engine } from "../../../src/engines/engine.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";

interface Column extends Record<string, string> {
  table: string;
  name: string;
  type: string;
}

/** A cluster with these columns, and the statements sent to it. */
function clusterWith(columns: readonly Column[]): { engine: Engine; statements: string[] } {
  const statements: string[] = [];
  const run = async (sql: string) => statements.push(sql);
  return { engine: { all: async () => columns, run } as unknown as Engine, statements };
}

/** The columns of a warehouse's `core` with the cluster's types. */
async function columnsAtTrino(warehouse: DuckDb): Promise<Column[]> {
  const columns = await warehouse.all<Column>(
    `select table_name as "table", column_name as name, data_type as type from duckdb_columns()
    where schema_name = 'core' order by table_name, column_index`,
  );
  return columns.map((column) => ({ ...column, type: toTrinoType(column.type) }));
}

function tablesOf(statements: readonly string[], verb: string): string[] {
  return statements.flatMap((sql) => sql.match(`^${verb} table core."?(\\w+)`)?.[1] ?? []).sort();
}

it("keeps a cluster's versions and restatements if another core table changes", async () => {
  const template = await openNewWarehouse();
  const now = await columnsAtTrino(template);
  const before = now.filter(({ table, name }) => table !== "load" || name !== "vanished");
  const { engine, statements } = clusterWith([...before, { table: "old", name: "a", type: "bigint" }]);
  expect(await createCoreTables(engine, template)).toBe(true);
  const kept = ["build_setting", "restatement", "version"];
  const made = [...new Set(now.map(({ table }) => table))].filter((table) => !kept.includes(table));
  expect(tablesOf(statements, "create")).toEqual(made.sort());
  expect(tablesOf(statements, "drop")).toEqual([...made, "old"].sort());
});

it("recreates a cluster's versions if their own columns changed", async () => {
  const template = await openNewWarehouse();
  const now = await columnsAtTrino(template);
  const { engine, statements } = clusterWith(now.filter(({ name }) => name !== "software_version"));
  expect(await createCoreTables(engine, template)).toBe(true);
  expect(tablesOf(statements, "drop")).toContain("version");
  expect(tablesOf(statements, "create")).toContain("version");
  expect(tablesOf(statements, "create")).not.toContain("restatement");
});

it("leaves a cluster alone if all tables match", async () => {
  const template = await openNewWarehouse();
  const { engine, statements } = clusterWith(await columnsAtTrino(template));
  expect(await createCoreTables(engine, template)).toBe(false);
  expect(statements).toEqual([]);
});
