import { afterAll, beforeAll, expect, it } from "vitest";
import { listUnionTables } from "../../../src/build/lake/union-table.ts";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { listLakeTables } from "../../../src/lake/layout.ts";
import { listTables } from "../../support/sql-tables.ts";

let database: DuckDb;
beforeAll(async () => {
  database = await DuckDb.open();
});
afterAll(() => database.close());

const tables = listUnionTables();

it("every lake table that models read has a select", () => {
  expect(tables.map(({ table }) => table).sort()).toEqual(
    listLakeTables().filter((table) => table !== "reference_file"),
  );
});

it.each(tables)("the header of $table declares what it reads", async ({ sql, tables: read }) => {
  expect(read).toEqual(await listTables(database, sql));
});
