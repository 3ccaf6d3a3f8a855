import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import { listChecks, parseCheck } from "../../src/build/check.ts";
import { NothingBuiltError, runChecks } from "../../src/build/run-checks.ts";
import type { DuckDb } from "../../src/engines/duckdb.ts";
import { listModels } from "../../src/engines/model.ts";
import { openWarehouse } from "../../src/engines/warehouse.ts";
import { insertCoreRows, markAllDirty } from "../support/core-rows.ts";
import { buildOptions } from "./build-options.ts";

let warehouse: DuckDb;
beforeEach(async () => {
  warehouse = await openWarehouse({ path: ":memory:" });
  onTestFinished(() => warehouse.close());
  await insertCoreRows(warehouse, "play", [
    {
      kind: "music",
      zone_id: 1,
      item_id: 7,
      played_at: "2026-11-20 10:00:00",
      duration_secs: 100,
      artist_id: 3,
    },
  ]);
  await insertCoreRows(warehouse, "zone_location_span", [{ zone_id: 1, location_id: 4 }]);
  await insertCoreRows(warehouse, "zone_group_sighting", [
    { zone_id: 1, group_id: 10, source: "devices", kind: "" },
  ]);
  const load = { source: "export", kind: "music", group_id: 10, requested_at: "2026-11-21 06:00:00" };
  await insertCoreRows(warehouse, "load", [{ ...load, load_id: 1, lines: 200, new_plays: 199, rejected: 1 }]);
  await insertCoreRows(warehouse, "reject", [
    { load_id: 1, line_number: 9, reason: "invalid_json", line: "{" },
  ]);
  await insertCoreRows(warehouse, "restatement", [{ version: "v000000", kind: "music", date: "2026-11-20" }]);
  await insertCoreRows(warehouse, "version", [{ version: "v000000", published_at: "2026-11-20 06:00:00" }]);
  await markAllDirty(warehouse);
  await buildMart(warehouse, buildOptions);
});

it("hold for a sound mart", async () => {
  expect(await failing()).toEqual([]);
});

describe("the key of each table", () => {
  it.each(listModels().flatMap(({ schema, table }) => (schema === "mart" ? [table] : [])))(
    "%s",
    async (table) => {
      const source = table === "fact_play" ? "core.play" : `mart.${table}`;
      expect(await countRows(`mart.${table}`)).toBeGreaterThan(0);
      await warehouse.run(`insert into ${source} select * from ${source} limit 1`);
      if (table === "fact_play") {
        // Days of plays are built from plays.
        await markAllDirty(warehouse);
        await buildMart(warehouse, buildOptions);
      }
      const names = (await failing()).filter((name) => /grain|one_row/.test(name));
      expect(names).toHaveLength(1);
    },
  );
});

it.each([
  ["play_sums_agree", "update mart.fact_play_day set play_seconds = 99"],
  ["play_sums_agree", "delete from mart.fact_play_day"],
  ["play_sums_agree", "update mart.fact_play_day set short_plays = 1"],
  ["play_values", "update core.play set duration_secs = 86401"],
  ["play_values", "update core.play set utc_offset_minutes = 60"],
  [
    "play_values",
    "update core.play set played_at = played_at - interval 1 day, played_at_local = played_at_local - interval 1 day",
  ],
  ["load_accounting", "update mart.fact_load set blank = 1"],
  ["load_accounting", "delete from mart.fact_reject"],
  ["fact_play_day_references", "delete from mart.dim_zone"],
  ["fact_play_day_references", "delete from mart.dim_item"],
  ["fact_play_day_references", "delete from mart.dim_artist"],
  ["fact_play_day_references", "delete from mart.dim_date where date = '2026-11-20'"],
  ["fact_play_day_references", "delete from mart.dim_kind"],
  ["references", "delete from mart.dim_location"],
  ["references", "delete from mart.dim_group"],
  ["references", "insert into mart.bridge_group_zone values (10, 99)"],
  ["references", "update mart.fact_load set zone_id = 99"],
  ["references", "update mart.fact_reject set load_id = 99"],
  ["mart_info_one_row", "delete from mart.mart_info"],
  ["freshness", "update mart.mart_info set built_at = built_at + interval 2 day"],
  ["rejects_are_rare", "update mart.fact_load set lines = 100, new_plays = 99"],
  ["nothing_vanished", "update mart.fact_load set vanished = 1"],
])("%s notices: %s", async (name, damage) => {
  await warehouse.run(damage);
  expect(await failing()).toContain(name);
});

it("each check has damage that it notices", () => {
  const noticed =
    "play_grain dimension_grain play_sums_agree play_values load_accounting " +
    "fact_play_day_references references mart_info_one_row freshness rejects_are_rare nothing_vanished";
  expect(
    listChecks()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(noticed.split(" ").sort());
});

it("count failing rows, and show some of them", async () => {
  await warehouse.run("insert into mart.bridge_group_zone select 10, i from range(50, 80) as zones (i)");
  const result = (await runChecks(warehouse, { days: "all", sampleSize: 2 })).find(
    ({ name }) => name === "references",
  );
  expect(result).toEqual({
    name: "references",
    severity: "error",
    description: "Every key that a dimension, a bridge or a ledger names exists.",
    failingRows: 30,
    sample: [
      { key_name: "bridge_group_zone.zone_id", key_text: expect.any(String) },
      { key_name: "bridge_group_zone.zone_id", key_text: expect.any(String) },
    ],
  });
});

it("say so before anything is built", async () => {
  const empty = await openWarehouse({ path: ":memory:" });
  onTestFinished(() => empty.close());
  await expect(runChecks(empty, { days: "all" })).rejects.toThrow(NothingBuiltError);
});

it("look at plays of unpublished days alone when asked to", async () => {
  await warehouse.run("update mart.fact_play_day set plays = 2");
  await warehouse.run("delete from core.unpublished_day");
  expect(await failing("unpublished")).toEqual([]);
  expect(await failing("all")).toEqual(["play_sums_agree"]);
});

it.each([
  "select 1",
  "-- Holds.\nselect 1",
  "-- Severity: error\nselect 1",
  "-- Holds.\n-- Severity: fatal\nselect 1",
])("refuse a header that is not whole: %s", (sql) => {
  expect(() => parseCheck("x", sql)).toThrow(SyntaxError);
});

async function failing(days: "all" | "unpublished" = "all"): Promise<string[]> {
  const results = await runChecks(warehouse, { days });
  return results.flatMap(({ name, failingRows }) => (failingRows > 0 ? [name] : []));
}

async function countRows(table: string): Promise<number> {
  return (await warehouse.get<{ count: number }>(`select count(*) as count from ${table}`)).count;
}
