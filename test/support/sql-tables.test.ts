import { afterAll, beforeAll, expect, it } from "vitest";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { listTables } from "./sql-tables.ts";

let database: DuckDb;
beforeAll(async () => {
  database = await DuckDb.open();
});
afterAll(() => database.close());

it.each([
  ["no table", "select 1 as a", []],
  ["comments and parameters", "-- from x\nselect a from core.t where a = ? /* from y */", ["core.t"]],
  [
    "joins, unions, upper case",
    "select a from Core.T join u on true union all select a from core.v",
    ["core.t", "core.v", "u"],
  ],
  [
    "subqueries",
    "select (select max(b) from s.b) as b from (select a from s.a) as a where a in (select c from s.c)",
    ["s.a", "s.b", "s.c"],
  ],
  [
    "laterals",
    "select 1 as x from s.a, lateral (select b from s.b where s.b.k = s.a.k) as l",
    ["s.a", "s.b"],
  ],
  ["a common table expression", "with c as (select a from s.a) select a from c", ["s.a"]],
  ["one that hides a table", "with a as (select x from s.a) select x from a", ["s.a"]],
  ["one of the name of its own source", "with a as (select x from a) select x from a", ["a"]],
  [
    "one that reads another",
    "with c as (select a from s.a), d as (select a from c) select a from d",
    ["s.a"],
  ],
  [
    "one inside another",
    "with c as (with i as (select a from s.a) select a from i) select a from c, i",
    ["i", "s.a"],
  ],
  [
    "one in a subquery only",
    "select a from (with c as (select a from s.a) select a from c) as q, c",
    ["c", "s.a"],
  ],
  ["a schema beside one", "with c as (select 1 as a) select a from s.c", ["s.c"]],
  ["recursion", "with recursive r as (select a from s.a union all select a from r) select a from r", ["s.a"]],
])("%s", async (_label, sql, tables) => {
  expect(await listTables(database, sql)).toEqual(tables);
});

it.each(["selec 1", "insert into t values (1)", "select 1; select 2", ""])("refuses: %s", async (sql) => {
  await expect(listTables(database, sql)).rejects.toThrow(SyntaxError);
});
