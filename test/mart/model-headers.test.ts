import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { describeColumns } from "../../src/mart/column-definition.ts";
import { listModels } from "../../src/mart/model.ts";
import { openWarehouse } from "../../src/workspace/warehouse.ts";
import { buildOptions } from "../build/build-options.ts";
import { listTables } from "../support/sql-tables.ts";

let warehouse: DuckDb;
beforeAll(async () => {
  warehouse = await openWarehouse({ path: ":memory:" });
  await buildMart(warehouse, buildOptions);
});
afterAll(() => warehouse.close());

/** Tables by their key of one column. */
const keys = new Map(
  listModels().flatMap(({ table, grain }) =>
    /^dim_(?!.*_attribute)/.test(table) && grain.length === 1 ? [[grain[0] ?? "", table]] : [],
  ),
);

describe.each(listModels())("$name", ({ schema, table, name, sql, columns, grain, reads, published }) => {
  it("describes each column in order, and nothing else", async () => {
    expect(columns.map((column) => column.name)).toEqual(
      (await describeModel(name)).map((column) => column.name),
    );
    expect(columns.filter(({ text }) => text !== "" && !/\.$|^= \S+$/.test(text))).toEqual([]);
  });

  it("defines each published column", () => {
    const described = schema === "mart" ? describeColumns(table) : [];
    expect(described.filter(({ label, unit, definition }) => !label || !unit || !definition)).toEqual([]);
  });

  it("refers to each key that it names", () => {
    const described = schema === "mart" ? describeColumns(table) : [];
    for (const { name: column, like } of described) {
      const [other = "", key] = like?.split(".") ?? [];
      if (like) expect(describeColumns(other).map((one) => one.name)).toContain(key);
      if (keys.get(column) !== table)
        expect([column, like]).toEqual([column, keys.has(column) ? expect.any(String) : like]);
    }
  });

  it("names its inputs", async () => {
    expect(reads).toEqual(await listTables(warehouse, sql));
  });

  it("uses its own columns for grain and order", () => {
    const own = columns.map((column) => column.name);
    expect(
      [...grain, ...published.orderedBy].filter((column) => !own.includes(column) && column !== "one row"),
    ).toEqual([]);
  });
});

async function describeModel(name: string): Promise<{ name: string; type: string }[]> {
  return await warehouse.all(`select column_name as name, column_type as type from (describe ${name})`);
}
