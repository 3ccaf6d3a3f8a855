import { expect, it } from "vitest";
import {
  columnText,
  groupColumns,
  listTableColumns,
  trinoType,
} from "../../../src/build/trino/core-tables.ts";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { lakeTypes } from "../../../src/lake/layout.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";

it.each([
  ["BIGINT", "bigint"],
  ["INTEGER", "integer"],
  ["SMALLINT", "integer"],
  ["DOUBLE", "double"],
  ["BOOLEAN", "boolean"],
  ["VARCHAR", "varchar"],
  ["DATE", "date"],
  ["TIMESTAMP", "timestamp(6)"],
  ["TIMESTAMP WITH TIME ZONE", "timestamp(6)"],
  ["ENUM('music', 'signage')", "varchar"],
])("%s is %s at Trino", (type, expected) => {
  expect(trinoType(type)).toBe(expected);
});

it("names a type that Trino has not", () => {
  expect(() => trinoType("HUGEINT")).toThrow(new TypeError("HUGEINT has no counterpart at Trino"));
  expect(() => trinoType("MY ENUM")).toThrow(TypeError);
});

it("every type of a lake and of a warehouse has a counterpart", async () => {
  const warehouse = await openNewWarehouse();
  const types = await warehouse.all<{ type: string }>(
    "select distinct data_type as type from duckdb_columns() where schema_name = 'core'",
  );
  for (const type of [...lakeTypes, ...types.map((row) => row.type)])
    expect(trinoType(type)).toMatch(/^[a-z]/);
});

it("columns stand by table, in their order, with names that need quotes in quotes", () => {
  const rows = [
    { table: "play", name: "zone_id", type: "A" },
    { table: "load", name: "id", type: "B" },
    { table: "play", name: 'a "b"', type: "C" },
  ];
  expect([...groupColumns(rows, (type) => type.toLowerCase())]).toEqual([
    ["play", ['"zone_id" a', '"a ""b""" c']],
    ["load", ['"id" b']],
  ]);
  expect(columnText("date", "date")).toBe('"date" date');
});

it("lists the tables of one schema", async () => {
  const database = await DuckDb.open();
  try {
    for (const schema of ["here", "there"]) await database.run(`create schema ${schema}`);
    await database.run("create table here.b (second varchar, first bigint)");
    await database.run("create table here.a (only_one date)");
    await database.run("create table there.c (x bigint)");
    expect([...(await listTableColumns(database, "here"))]).toEqual([
      ["a", ['"only_one" DATE']],
      ["b", ['"second" VARCHAR', '"first" BIGINT']],
    ]);
  } finally {
    database.close();
  }
});
