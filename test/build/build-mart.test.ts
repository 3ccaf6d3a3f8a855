import { beforeEach, expect, it } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import { buildModel } from "../../src/build/build-model.ts";
import { createWarehouseWorkbench } from "../../src/build/workbench.ts";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { readModel } from "../../src/mart/model.ts";
import { insertCoreRows, markAllDirty } from "../support/core-rows.ts";
import { itInAll } from "../support/long-suite.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";
import { buildOptions } from "./build-options.ts";

let warehouse: DuckDb;
beforeEach(async () => {
  warehouse = await openNewWarehouse();
  await insertCoreRows(warehouse, "play", [
    { kind: "signage", zone_id: 1, item_id: 7, played_at: "2026-11-01 10:00:00", duration_secs: 15 },
    { kind: "music", zone_id: 1, item_id: 7, played_at: "2026-11-02 10:00:00", duration_secs: 100 },
  ]);
  await markAllDirty(warehouse);
});

it("turns dirty days into unpublished days", async () => {
  const { dirtyDays } = await buildMart(warehouse, buildOptions);
  expect(dirtyDays).toBe(2);
  expect(await count("core.dirty_day")).toBe(0);
  expect(await warehouse.all("select kind, date from core.unpublished_day order by kind")).toEqual([
    { kind: "music", date: "2026-11-02" },
    { kind: "signage", date: "2026-11-01" },
  ]);
});

it("rebuilds nothing the second time, and everything on request", async () => {
  const first = await buildMart(warehouse, buildOptions);
  const second = await buildMart(warehouse, buildOptions);
  const full = await buildMart(warehouse, { ...buildOptions, isFull: true });
  expect(first.rebuiltModels).toContain("mart.fact_play_day");
  expect(second).toMatchObject({ rebuiltModels: [], dirtyDays: 0 });
  expect(full.rebuiltModels).toEqual(first.rebuiltModels);
});

it("rebuilds a model from scratch if its SQL or that of a source changed", async () => {
  await buildMart(warehouse, buildOptions);
  await warehouse.run("delete from core.unpublished_day");
  await warehouse.run("update core.built_model set sha256 = 'another' where model = 'mart.fact_play_day'");
  await warehouse.run("update mart.fact_play_day set plays = 99");
  expect((await buildMart(warehouse, buildOptions)).rebuiltModels).toEqual(["mart.fact_play_day"]);
  expect(await warehouse.get("select sum(plays)::int as plays from mart.fact_play_day")).toEqual({
    plays: 2,
  });
  // Any of its days may have changed, so all are rewritten.
  expect(await count("core.unpublished_day")).toBe(2);
});

it("builds months from scratch range by range, even if a range ends within a month", async () => {
  await buildMart(warehouse, buildOptions);
  const months = () => warehouse.all("select * from mart.fact_play_month order by all");
  const atOnce = await months();
  expect(atOnce).toHaveLength(2);
  await buildModel(createWarehouseWorkbench(warehouse), readModel("mart", "fact_play_month"), {
    isFromScratch: true,
    dirtyDays: {},
    wholeRanges: async () => [
      { from: "0001-01-01", to: "2026-11-01" },
      { from: "2026-11-02", to: "9999-12-31" },
    ],
  });
  expect(await months()).toEqual(atOnce);
});

itInAll("drops tables without a model, and replaces a view by a table", async () => {
  await buildMart(warehouse, buildOptions);
  await warehouse.run("create table mart.old as select 1 as a");
  await warehouse.run("create view staging.old as select 1 as a");
  await warehouse.run("drop table mart.dim_kind");
  await warehouse.run("create view mart.dim_kind as select 'x' as kind");
  await warehouse.run("delete from core.built_model where model = 'mart.dim_kind'");
  await buildMart(warehouse, buildOptions);
  expect(await count("mart.dim_kind")).toBe(3);
  await expect(count("mart.old")).rejects.toThrow("mart.old");
  await expect(count("staging.old")).rejects.toThrow("staging.old");
});

itInAll("measures plays again if the unit of asset durations changes", async () => {
  await insertCoreRows(warehouse, "asset_snapshot", [{ kind: "signage", asset_id: 7, duration: 20 }]);
  const complete = () =>
    warehouse.all("select complete_plays from mart.fact_play_day where kind = 'signage'");
  await buildMart(warehouse, buildOptions);
  expect(await complete()).toEqual([{ complete_plays: 0 }]);
  const { dirtyDays } = await buildMart(warehouse, { ...buildOptions, assetDurationUnit: "milliseconds" });
  expect(await complete()).toEqual([{ complete_plays: 1 }]);
  expect(dirtyDays).toBe(1);
});

it("changes nothing if interrupted", async () => {
  await buildMart(warehouse, buildOptions);
  await insertCoreRows(warehouse, "dirty_day", [{ kind: "music", date: "2026-11-02" }]);
  const interruption = new AbortController();
  const logger = { ...buildOptions.logger, debug: () => interruption.abort(new Error("enough")) };
  const build = buildMart(warehouse, {
    ...buildOptions,
    version: "v000002",
    signal: interruption.signal,
    logger,
  });
  await expect(build).rejects.toThrow("enough");
  expect(await count("core.dirty_day")).toBe(1);
  expect(await warehouse.all("select version from core.version")).toEqual([{ version: "v000001" }]);
});

async function count(table: string): Promise<number> {
  return (await warehouse.get<{ count: number }>(`select count(*) as count from ${table}`)).count;
}
