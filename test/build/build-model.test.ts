import { beforeEach, expect, it, onTestFinished } from "vitest";
import { buildModel } from "../../src/build/build-model.ts";
import { onWarehouse } from "../../src/build/workbench.ts";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { type Model, parseModelHeader } from "../../src/mart/model.ts";

let database: DuckDb;
beforeEach(async () => {
  database = await DuckDb.open();
  onTestFinished(() => database.close());
  await database.run("create schema core; create schema mart");
  await database.run(
    `create table core.day as select kind, date '2026-03-01' + i::integer as date, 1 as value
    from (values ('music'), ('signage')) as kinds (kind), generate_series(0, 9) as days (i)`,
  );
});

/** A model that copies `core.day`, built as the text says. */
function copyModel(built: string): Model {
  const sql = `-- One row per kind and day.
-- Grain: kind, date
-- Reads: core.day
-- Built: ${built}
-- Columns:
--   kind    A kind.
--   date    A day.
--   value   Whatever.
select kind, date, value from core.day -- a comment at the very end`;
  return { schema: "mart", table: "day", name: "mart.day", sql, ...parseModelHeader("mart.day", sql) };
}

it.each([
  ["day", ["music 2026-03-05"]],
  ["day, reach 1", ["music 2026-03-04", "music 2026-03-05", "music 2026-03-06"]],
  ["day, any kind", ["music 2026-03-05", "signage 2026-03-05"]],
  [
    "whole",
    Array.from(
      { length: 20 },
      (_, i) => `${i < 10 ? "music" : "signage"} 2026-03-${i % 10 === 9 ? 10 : `0${(i % 10) + 1}`}`,
    ),
  ],
])("Built: %s", async (built, rebuilt) => {
  const model = copyModel(built);
  await buildModel(onWarehouse(database), model, { isAnew: true, dirtyDays: {} });
  await database.run("update core.day set value = 2");
  await buildModel(onWarehouse(database), model, {
    isAnew: false,
    dirtyDays: { plays: [{ kind: "music", date: "2026-03-05" }] },
  });
  const rows = await database.all(
    "select kind || ' ' || date as day from mart.day where value = 2 order by 1",
  );
  expect(rows.map((row) => row.day)).toEqual(rebuilt);
  expect(await database.get("select count(*) as rows from mart.day")).toEqual({ rows: 20 });
});

it("empties a day that became empty", async () => {
  const model = copyModel("day");
  await buildModel(onWarehouse(database), model, { isAnew: true, dirtyDays: {} });
  await database.run("delete from core.day where date = '2026-03-05'");
  await buildModel(onWarehouse(database), model, {
    isAnew: false,
    dirtyDays: { plays: [{ kind: "music", date: "2026-03-05" }] },
  });
  expect(await database.all("select kind from mart.day where date = '2026-03-05'")).toEqual([
    { kind: "signage" },
  ]);
});
