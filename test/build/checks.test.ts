import { beforeEach, expect, it } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import { assertBuilt } from "../../src/build/built-models.ts";
import { type CheckResult, listChecks, runChecks } from "../../src/build/run-checks.ts";
import { createWarehouseWorkbench } from "../../src/build/workbench.ts";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { listModels } from "../../src/mart/model.ts";
import { loadCaseListings } from "../support/case-listings.ts";
import { insertCoreRows, markAllDirty } from "../support/core-rows.ts";
import { itInAll } from "../support/long-suite.ts";
import { openNewWarehouse, prepareCopies, prepareRolledBack } from "../support/new-warehouse.ts";
import { buildOptions } from "./build-options.ts";

const clockAhead = "insert into mart.fact_clock_ahead values (70, 1, '2026-11-20', 'last_online', 1, 301)";
/** In November, clocks do not change. */
const clockChange =
  "insert into mart.fact_clock_change values (1, '2026-11-20', 7200, 10800, 3600, 3600, true)";
/** All plays are of music. */
const impressions =
  "insert into mart.fact_impression_hour values ('signage', 1, 29, '2026-11-20', 10, 1, 1.0)";

let warehouse: DuckDb;
beforeEach(async () => {
  warehouse = await openShared();
});

async function insertSound(warehouse: DuckDb): Promise<void> {
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
  const always = { name: "region", value: "North", valid_from: "1900-01-01", valid_to: "2099-12-31" };
  await insertCoreRows(warehouse, "attribute", [
    { ...always, subject: "zone", subject_key: 1 },
    { ...always, subject: "campaign", subject_key: 21 },
    { ...always, subject: "item", subject_key: 28 },
  ]);
  const load = { source: "export", kind: "music", group_id: 10, requested_at: "2026-11-21 06:00:00" };
  await insertCoreRows(warehouse, "load", [{ ...load, load_id: 1, lines: 200, new_plays: 199, rejected: 1 }]);
  await insertCoreRows(warehouse, "reject", [
    { load_id: 1, line_number: 9, reason: "invalid_json", line: "{" },
  ]);
  await insertCoreRows(warehouse, "restatement", [{ version: "v000000", kind: "music", date: "2026-11-20" }]);
  await insertCoreRows(warehouse, "version", [{ version: "v000000", published_at: "2026-11-20 06:00:00" }]);
  await insertCoreRows(warehouse, "unknown_field", [{ source: "history", kind: "music", field: "mood" }]);
  await insertDevices(warehouse);
  // The rule's UNTIL precedes that day's occurrence.
  const rrule = "FREQ=DAILY;BYHOUR=20;UNTIL=20261120T120000Z";
  const campaigns = [
    { campaign_id: 5, assets: [7] },
    { campaign_id: 6, rrule, assets: [8] },
  ];
  await loadCaseListings(warehouse, [{ zoneId: 1, requestedAt: "2026-11-19T06:00:00Z", campaigns }]);
  await markAllDirty(warehouse);
  await buildMart(warehouse, buildOptions);
  await warehouse.run(clockChange);
}

const openCustom = prepareCopies(insertSound);
const openShared = prepareRolledBack(insertSound);

/** Zone 1 is always open; device 70 is up for an hour on 20 November, then down for 26 hours. */
async function insertDevices(warehouse: DuckDb): Promise<void> {
  const day = (date: string, next: string) => ({
    zone_id: 1,
    date,
    start_at: `${date} 00:00:00`,
    end_at: `${next} 00:00:00`,
  });
  await insertCoreRows(warehouse, "zone_day", [
    day("2026-11-19", "2026-11-20"),
    day("2026-11-20", "2026-11-21"),
    day("2026-11-21", "2026-11-22"),
  ]);
  const listed = { device_id: 70, zone_id: 1, group_id: 10, max_gap_seconds: 90_000 };
  const down = { ...listed, status: "offline", last_online_at: "2026-11-19 23:00:00" };
  const online = { ...listed, status: "online", last_online_at: "2026-11-19 22:00:00" };
  const snapshots = [
    { ...online, requested_at: "2026-11-19 22:00:00" },
    { ...down, requested_at: "2026-11-19 23:30:00" },
    { ...down, requested_at: "2026-11-21 01:00:00" },
  ];
  const rows = snapshots.map((snapshot, index) => ({ ...snapshot, snapshot_id: index + 11 }));
  await insertCoreRows(warehouse, "device_snapshot", rows);
  await insertCoreRows(
    warehouse,
    "snapshot",
    rows.map(({ snapshot_id, requested_at }) => ({
      snapshot_id,
      requested_at,
      source: "devices",
      group_id: 10,
    })),
  );
  await insertCoreRows(warehouse, "notice", [
    { notice_id: 5, type: "planned", began_at: "2026-11-20 09:00:00", ends_at: "2026-11-20 12:00:00" },
  ]);
  await insertCoreRows(
    warehouse,
    "opening_hours",
    [1, 2, 3, 4, 5, 6, 7].map((day) => ({ zone_id: 1, day_of_week: day, closes_secs: 86_400 })),
  );
  await insertCoreRows(
    warehouse,
    "zone_kind",
    ["music", "signage", "messaging"].map((kind) => ({
      ...{ zone_id: 1, kind, valid_from: "1900-01-01", valid_to: "2099-12-31" },
    })),
  );
  await insertCoreRows(warehouse, "daypart", [{ name: "morning", from_secs: 21_600, to_secs: 39_600 }]);
  await insertCoreRows(warehouse, "campaign_target", [
    { campaign_key: 21, valid_from: "2026-11-01", valid_to: "2026-11-30", plays: 500 },
  ]);
  await insertCoreRows(warehouse, "footfall", [
    {
      ...{ zone_id: 1, to_secs: 86_400, people: 3_600_000, source: "door counter" },
      ...{ valid_from: "1900-01-01", valid_to: "2099-12-31" },
    },
  ]);
  await insertCoreRows(warehouse, "component", [{ component_id: 6 }]);
}

it("pass for a valid mart", async () => {
  expect(await failing()).toEqual([]);
});

const martModels = listModels().filter(({ schema }) => schema === "mart");

it("finds repeated keys in each table", async () => {
  warehouse = await openCustom();
  await warehouse.run("insert into core.play select * from core.play limit 1");
  // Play days are built from plays, so the build must run again.
  await markAllDirty(warehouse);
  await buildMart(warehouse, buildOptions);
  // A valid mart has no such rows, and the build removed the others.
  for (const insert of [clockAhead, clockChange, impressions]) await warehouse.run(insert);
  for (const { table } of martModels) {
    expect([table, await countRows(`mart.${table}`)]).not.toEqual([table, 0]);
    if (table === "fact_play") continue;
    await warehouse.run(`insert into mart.${table} select * from mart.${table} limit 1`);
  }
  const grains = (await runChecks(warehouse, { days: "all", sampleSize: 1000 })).filter(({ name }) =>
    /_(grain|unique)$/.test(name),
  );
  const found = new Set(grains.flatMap(({ sample }) => sample.map((row) => row.table_name)));
  expect([...found].sort()).toEqual(martModels.map(({ table }) => table).sort());
});

it("finds overlapping dates of one key in each table", async () => {
  const shifted = "date '1900-01-02' as valid_from, date '2099-12-30' as valid_to";
  const tables = martModels.flatMap(({ table, grain }) => (grain.includes("valid_from") ? [table] : []));
  for (const table of tables) {
    await warehouse.run(`update mart.${table} set valid_from = '1900-01-01', valid_to = '2099-12-31'`);
    await warehouse.run(`insert into mart.${table} select * replace (${shifted}) from mart.${table} limit 1`);
  }
  const failures = (await runChecks(warehouse, { days: "all" })).filter(({ failingRows }) => failingRows > 0);
  expect(failures.map(({ name }) => name)).toEqual(["dimension_grain"]);
  expect(failures[0]?.sample.map((row) => row.table_name).sort()).toEqual(tables.sort());
});

const damages: [check: string, damage: string][] = [
  ["play_sums_agree", "update mart.fact_play_day set play_seconds = 99"],
  ["play_sums_agree", "delete from mart.fact_play_day"],
  ["play_sums_agree", "update mart.fact_play_day set short_plays = 1"],
  ["play_sums_agree", "update mart.fact_play_zone_day set plays = 2"],
  ["play_sums_agree", "delete from mart.fact_play_zone_day"],
  ["play_sums_agree", "update mart.fact_play_item_day set plays = 2"],
  ["play_sums_agree", "delete from mart.fact_play_item_day"],
  ["play_sums_agree", "update mart.fact_play_zone_hour set play_seconds = 99"],
  ["play_sums_agree", "delete from mart.fact_play_zone_hour"],
  ["play_months_agree", "update mart.fact_play_month set short_plays = 1"],
  ["play_months_agree", "delete from mart.fact_play_month"],
  ["play_values", "update core.play set duration_secs = 2678401"],
  ["play_values", "update core.play set utc_offset_minutes = 60"],
  [
    "play_values",
    "update core.play set played_at = played_at - interval 1 day, played_at_local = played_at_local - interval 1 day",
  ],
  ["load_accounting", "update mart.fact_load set blank = 1"],
  ["load_accounting", "delete from mart.fact_reject"],
  ["play_references", "delete from mart.dim_zone"],
  ["play_references", "update mart.fact_play_day set item_key = null"],
  ["play_references", "update mart.dim_item set kind = 'signage'"],
  ["campaign_references", "update mart.fact_campaign_zone_day set kind = 'messaging'"],
  ["device_references", "update mart.fact_device_day set device_id = null"],
  ["dimension_references", "delete from mart.dim_location"],
  ["dimension_references", "insert into mart.bridge_group_zone values (null, 1)"],
  ["fact_references", "delete from mart.dim_group"],
  ["fact_references", "update mart.fact_snapshot set kind = 'none such' where kind is not null"],
  ["rule_references", "delete from mart.fact_listed_campaign"],
  ["rule_references", "delete from mart.fact_rule_date"],
  ["device_seconds_are_whole", "delete from mart.fact_device_day"],
  ["device_seconds_are_whole", "update mart.fact_device_day set down_seconds = 86399"],
  ["device_seconds_are_whole", "update core.zone_day set end_at = end_at - interval 1 hour"],
  ["device_values", "update mart.fact_device_day set planned_down_seconds = down_seconds + 1"],
  ["device_values", "update mart.fact_device_day set up_seconds = -1, unknown_seconds = 1"],
  ["outages_agree", "update mart.fact_device_day set outages = 2"],
  ["outages_agree", "delete from mart.fact_outage"],
  ["outages_agree", "update mart.fact_outage set ended_at = started_at"],
  ["outages_agree", "update mart.fact_outage set seen_up_at = started_at"],
  ["zone_uptime_agrees", "delete from mart.fact_zone_uptime"],
  ["zone_uptime_agrees", "update mart.fact_zone_uptime set up_seconds = up_seconds + 1"],
  ["clocks", clockAhead],
  ["sources_are_fresh", "update mart.mart_info set built_at = built_at + interval 2 day"],
  ["mart_info_one_row", "delete from mart.mart_info"],
  ["sources_are_fresh", "update core.build_setting set value = '1' where name = 'fresh_minutes_devices'"],
  ["rejects_are_rare", "update mart.fact_load set lines = 100, new_plays = 99"],
  ["campaign_states", "update mart.fact_campaign_zone_day set state = 'late'"],
  ["campaign_states", "update mart.fact_campaign_zone_day set state = 'compliant'"],
  [
    "campaign_states",
    "update mart.fact_campaign_zone_day set state = 'missed', candidate_plays = 1, played_assets = 1",
  ],
  ["campaign_states", "update mart.fact_campaign_zone_day set played_assets = 1"],
  ["campaign_states", "update mart.fact_campaign_zone_day set weighted_plays = 1"],
  ["campaign_plays_agree", "update mart.fact_campaign_zone_day set weighted_plays = 1"],
  ["campaign_plays_agree", "update mart.fact_campaign_zone_day set weighted_plays = -0.5"],
  ["campaign_states", "update mart.fact_campaign_zone_day set due_times = 1, met_times = 2"],
  ["campaign_states", "update mart.fact_campaign_zone_day set due_times = 1, met_times = null"],
  ["campaign_rules", "update mart.dim_campaign set rule_error = 'no rule'"],
  ["nothing_vanished", "update mart.fact_load set vanished = 1"],
];
it("each check finds its damage", async () => {
  warehouse = await openCustom();
  await runChecks(warehouse, { days: "all" });
  const checks = new Map(listChecks().map(({ name, sql }) => [name, sql]));
  for (const [name, damage] of damages) {
    await warehouse.run("begin transaction");
    const find = async () => (await warehouse.all(`select * from (${checks.get(name)}\n) as failure`)).length;
    expect([damage, await find()]).toEqual([damage, 0]);
    await warehouse.run(damage);
    expect([damage, await find()]).not.toEqual([damage, 0]);
    await warehouse.run("rollback");
  }
});

itInAll("every key named by a reference check is tested", async () => {
  warehouse = await openCustom();
  await warehouse.run(clockAhead);
  await runChecks(warehouse, { days: "all" });
  const keys = listChecks().flatMap(({ sql }) =>
    [...sql.matchAll(/'(\w+)\.(\w+)' as key_name/g)].map(([, table, column = ""]) => ({
      table,
      column,
      sql,
    })),
  );
  expect(keys.length).toBeGreaterThan(80);
  for (const { table, column, sql } of keys) {
    // A checked day that is not in the calendar.
    const damaged =
      column === "date" || column === "month"
        ? "date '1999-01-01'"
        : /kind|outage_key/.test(column)
          ? "'none such'"
          : "cast(99999 as bigint)";
    await warehouse.run("begin transaction");
    await warehouse.run("insert into core.checked_day values ('1999-01-01')");
    // A cluster keeps kinds as text; here, tables by day only accept known kinds.
    if (column === "kind") await warehouse.run(`alter table mart.${table} alter kind type varchar`);
    await warehouse.run(`update mart.${table} set ${column} = ${damaged}`);
    const failures = await warehouse.all(`select key_name from (${sql}\n) as failure`);
    expect(failures.map(({ key_name: name }) => name)).toContain(`${table}.${column}`);
    await warehouse.run("rollback");
  }
});

it("all checks are tested with damaged data", () => {
  const noticed = [
    ...damages.map(([name]) => name),
    // Tested table by table, above.
    ...["plays_are_unique", "play_grain", "campaign_grain", "device_grain", "fact_grain", "dimension_grain"],
  ];
  const names = listChecks().map(({ name }) => name);
  expect(names.filter((name) => !noticed.includes(name))).toEqual([]);
});

itInAll("find the same by ranges of days as all at once", async () => {
  warehouse = await openCustom();
  const play = { kind: "music", zone_id: 1, item_id: 7, duration_secs: 100, artist_id: 3 };
  await insertCoreRows(
    warehouse,
    "play",
    ["2026-11-19", "2026-11-21"].map((date) => ({ ...play, played_at: `${date} 11:00:00` })),
  );
  await markAllDirty(warehouse);
  await buildMart(warehouse, { ...buildOptions, version: "v000002" });
  await warehouse.run("insert into mart.fact_play_day select * from mart.fact_play_day");
  const whole = await runChecks(warehouse, { days: "all" });
  const counts = new Map(whole.map(({ name, failingRows }) => [name, failingRows]));
  expect([counts.get("play_grain"), counts.get("play_sums_agree")]).toEqual([3, 3]);
  // Both kinds have wrong months, on each of three checked days.
  expect(counts.get("play_months_agree")).toBe(6);
  const inOrder = (results: readonly CheckResult[]) =>
    results.map(({ sample, ...result }) => ({
      ...result,
      sample: sample.map((row) => JSON.stringify(row)).sort(),
    }));
  const parted = await runChecks(warehouse, { days: "all", playsAtOnce: 1 });
  expect(inOrder(parted)).toEqual(inOrder(whole));
  const few = await runChecks(warehouse, { days: "all", playsAtOnce: 1, sampleSize: 2 });
  expect(few.find(({ name }) => name === "play_grain")).toMatchObject({
    failingRows: 3,
    sample: [expect.anything(), expect.anything()],
  });
  const { last } = await warehouse.get<{ last: string }>("select min(date) as last from core.checked_day");
  expect(last).toBe("2026-11-21");
});

it("count failing rows and show a sample", async () => {
  await warehouse.run("insert into mart.bridge_group_zone select 10, i from range(50, 80) as zones (i)");
  const result = (await runChecks(warehouse, { days: "all", sampleSize: 2 })).find(
    ({ name }) => name === "dimension_references",
  );
  expect(result).toEqual({
    name: "dimension_references",
    severity: "error",
    description: "Every key that dimensions and bridges refer to exists.",
    failingRows: 30,
    sample: [
      { key_name: "bridge_group_zone.zone_id", key_text: expect.any(String) },
      { key_name: "bridge_group_zone.zone_id", key_text: expect.any(String) },
    ],
  });
});

it("report that nothing has been built", async () => {
  const empty = await openNewWarehouse();
  await expect(assertBuilt(createWarehouseWorkbench(empty))).rejects.toThrow(
    expect.objectContaining({ code: "NOTHING_BUILT" }),
  );
  await expect(assertBuilt(createWarehouseWorkbench(warehouse))).resolves.toBeUndefined();
});

it("report that another version built the mart", async () => {
  await warehouse.run("update core.built_model set sha256 = '' where model = 'mart.fact_play'");
  await expect(assertBuilt(createWarehouseWorkbench(warehouse))).rejects.toThrow(
    expect.objectContaining({ code: "BUILT_OTHERWISE" }),
  );
});

it("can be limited to unpublished days", async () => {
  await warehouse.run("update mart.fact_play_day set plays = 2");
  for (const topic of ["", "_campaign", "_device"]) {
    await warehouse.run(`delete from core.unpublished${topic}_day`);
  }
  expect(await failing("unpublished")).toEqual([]);
  expect(await failing("all")).toEqual(["play_months_agree", "play_sums_agree"]);
});

it("skip days that changed since the build", async () => {
  warehouse = await openCustom();
  await insertCoreRows(warehouse, "play", [
    {
      kind: "music",
      zone_id: 1,
      item_id: 7,
      played_at: "2026-11-18 10:00:00",
      duration_secs: 100,
      artist_id: 3,
    },
  ]);
  expect(await failing()).toContain("play_sums_agree");
  await warehouse.run("insert into core.dirty_day (kind, date) values ('music', date '2026-11-18')");
  expect(await failing()).toEqual([]);
  await buildMart(warehouse, buildOptions);
  expect(await failing()).toEqual([]);
});

async function failing(days: "all" | "unpublished" = "all"): Promise<string[]> {
  const results = await runChecks(warehouse, { days });
  return results.flatMap(({ name, failingRows }) => (failingRows > 0 ? [name] : []));
}

async function countRows(table: string): Promise<number> {
  return (await warehouse.get<{ count: number }>(`select count(*) as count from ${table}`)).count;
}
