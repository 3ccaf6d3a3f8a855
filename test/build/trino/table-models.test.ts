import { expect, it } from "vitest";
import { listTableModels } from "../../../src/build/trino/core-tables.ts";
import { listModels, type Model, readModel } from "../../../src/mart/model.ts";
import { song } from "../../publish/published-warehouse.ts";
import { insertCoreRows } from "../../support/core-rows.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";

function findModel(name: string): Model | undefined {
  return listTableModels().find((model) => model.name === name);
}

it("all models are tables except those inlined into their readers", () => {
  const models = listTableModels();
  const names = listModels().map(({ name }) => name);
  expect(models.map(({ name }) => name)).toEqual(names.filter((name) => name !== "staging.play"));
  expect(models.filter(({ built }) => built.by === "view")).toEqual([]);
});

it("readers of an inlined model return the same rows", async () => {
  const warehouse = await openNewWarehouse();
  await insertCoreRows(warehouse, "play", [song("2026-10-05 10:00:00"), song("2026-10-06 10:00:00", 2)]);
  await warehouse.run("create schema if not exists staging");
  for (const table of ["play", "asset_newest"])
    await warehouse.run(`create view staging.${table} as ${readModel("staging", table).sql}`);
  const holders = listModels().filter(({ reads }) => reads.includes("staging.play"));
  expect(holders.map(({ name }) => name)).toEqual(["mart.fact_play"]);
  const rowsOf = async (sql = "") =>
    await warehouse.all(`select * from (${sql}\n) as model order by zone_id`);
  const rows = await rowsOf(readModel("mart", "fact_play").sql);
  expect(rows).toHaveLength(2);
  await warehouse.run("drop view staging.play");
  expect(await rowsOf(findModel("mart.fact_play")?.sql)).toEqual(rows);
});
