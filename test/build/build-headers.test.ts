import { afterAll, beforeAll, expect, it } from "vitest";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { listReads } from "../../src/mart/header-parts.ts";
import { listSql, readSql } from "../../src/util/files/package-files.ts";
import { listTables } from "../support/sql-tables.ts";

let database: DuckDb;
beforeAll(async () => {
  database = await DuckDb.open();
});
afterAll(() => database.close());

// They determine the build order. Other files in the folder change tables.
const selects = listSql("build").filter((file) => /^(restatement|touched\/)/.test(file));

it.each(selects)("build/%s declares the tables it reads", async (file) => {
  const sql = readSql(`build/${file}`);
  expect(listReads(file, sql).sort()).toEqual(await listTables(database, sql));
});

it("rejects a file without a declaration of the tables it reads", () => {
  expect(() => listReads("touched/a.sql", "-- Days.\nselect 1")).toThrow(
    'touched/a.sql: the header lacks "Reads:"',
  );
});
