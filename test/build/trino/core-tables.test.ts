import { expect, it } from "vitest";
import { assertComplete, createCoreTables, toTrinoType } from "../../../src/build/trino/core-tables.ts";
import type { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import type { Engine } from "../../../src/engines/engine.ts";
import { isOfBuilds, listLoadedTables } from "../../../src/mart/loaded-tables.ts";
import { PublishedCore } from "../../publish/core/published-core.ts";
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

/** The columns of tables that builds write, with the cluster's types. */
async function columnsAtTrino(warehouse: DuckDb): Promise<Column[]> {
  const columns = await warehouse.all<Column>(
    `select table_name as "table", column_name as name, data_type as type from duckdb_columns()
    where schema_name = 'core' order by table_name, column_index`,
  );
  const ofBuilds = columns.filter(({ table }) => isOfBuilds(table));
  return ofBuilds.map((column) => ({ ...column, type: toTrinoType(column.type) }));
}

function tablesOf(statements: readonly string[], verb: string): string[] {
  return statements.flatMap((sql) => sql.match(`^${verb} table core."?(\\w+)`)?.[1] ?? []).sort();
}

it("keeps a cluster's versions and restatements if another table changes", async () => {
  const template = await openNewWarehouse();
  const now = await columnsAtTrino(template);
  const before = now.filter(({ table, name }) => table !== "published_day" || name !== "plays");
  const { engine, statements } = clusterWith([...before, { table: "old", name: "a", type: "bigint" }]);
  await createCoreTables(engine, template);
  const kept = ["build_setting", "restatement", "version"];
  const made = [...new Set(now.map(({ table }) => table))].filter((table) => !kept.includes(table));
  expect(made.length).toBeGreaterThan(15);
  expect(tablesOf(statements, "create")).toEqual(made.sort());
  expect(tablesOf(statements, "drop")).toEqual([...made, "old"].sort());
});

it("recreates a cluster's versions if their columns changed", async () => {
  const template = await openNewWarehouse();
  const now = await columnsAtTrino(template);
  const { engine, statements } = clusterWith(now.filter(({ name }) => name !== "software_version"));
  await createCoreTables(engine, template);
  expect(tablesOf(statements, "drop")).toContain("version");
  expect(tablesOf(statements, "create")).toContain("version");
  expect(tablesOf(statements, "create")).not.toContain("restatement");
});

it("changes nothing on a cluster if all tables match", async () => {
  const template = await openNewWarehouse();
  const { engine, statements } = clusterWith(await columnsAtTrino(template));
  await createCoreTables(engine, template);
  expect(statements).toEqual([]);
});

it("accepts the version that this program publishes, and reports a column that another one lacks", async () => {
  const template = await openNewWarehouse();
  const { manifest } = await new PublishedCore(template).publish();
  for (const { columns } of Object.values(manifest.tables))
    for (const { type } of columns) expect(toTrinoType(type)).toMatch(/^[a-z]/);
  await assertComplete(template, manifest);
  const { columns } = manifest.tables.load ?? { columns: [] };
  columns.splice(
    columns.findIndex(({ name }) => name === "vanished"),
    1,
  );
  await expect(assertComplete(template, manifest)).rejects.toMatchObject({
    code: "CORE_OUTDATED",
    message: expect.stringContaining("core.load.vanished"),
  });
});

it("published tables of core exist, and exclude ledgers of pieces", async () => {
  const template = await openNewWarehouse();
  const tables = await template.all<{ name: string }>(
    "select table_name as name from duckdb_tables() where schema_name = 'core'",
  );
  const known = tables.map(({ name }) => name);
  for (const table of listLoadedTables()) expect(known).toContain(table);
  expect(listLoadedTables()).not.toContain("piece");
  expect(listLoadedTables()).toContain("configured_group");
});
