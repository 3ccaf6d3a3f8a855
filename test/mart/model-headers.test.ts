import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import type { DuckDb } from "../../src/engines/duckdb.ts";
import { listTables } from "../../src/engines/sql-tables.ts";
import { describeColumns } from "../../src/mart/definitions.ts";
import { listModels } from "../../src/mart/model.ts";
import { openWarehouse } from "../../src/workspace/warehouse.ts";
import { buildOptions } from "../build/build-options.ts";

/** What BI tools and reports rely on: each table's columns, in order, with their types. */
const contract: Record<string, string> = {
  dim_date:
    "date DATE, year INTEGER, quarter INTEGER, month VARCHAR, iso_year INTEGER, iso_week INTEGER, day_of_week INTEGER",
  dim_kind: "kind VARCHAR",
  dim_zone:
    "zone_id BIGINT, zone_name VARCHAR, location_id BIGINT, home_group_id BIGINT, time_zone VARCHAR, first_play_date DATE, last_play_date DATE",
  dim_location:
    "location_id BIGINT, location_name VARCHAR, street VARCHAR, city VARCHAR, state VARCHAR, zip VARCHAR, latitude DOUBLE, longitude DOUBLE",
  dim_group: "group_id BIGINT, group_name VARCHAR",
  bridge_group_zone: "group_id BIGINT, zone_id BIGINT",
  dim_item:
    "item_key BIGINT, kind VARCHAR, item_id BIGINT, item_name VARCHAR, asset_duration DOUBLE, start_date DATE, end_date DATE",
  dim_campaign:
    "campaign_key BIGINT, kind VARCHAR, campaign_id BIGINT, campaign_name VARCHAR, start_date DATE, end_date DATE, rrule VARCHAR, rule_error VARCHAR, first_seen_at TIMESTAMP, last_seen_at TIMESTAMP, is_listed BOOLEAN",
  bridge_campaign_asset: "campaign_key BIGINT, item_key BIGINT, linked_from TIMESTAMP, linked_to TIMESTAMP",
  bridge_zone_listing:
    "kind VARCHAR, zone_id BIGINT, owner_kind VARCHAR, owner_id BIGINT, first_at TIMESTAMP, settled_until TIMESTAMP",
  dim_artist: "artist_id BIGINT, artist_name VARCHAR",
  fact_play:
    "kind VARCHAR, zone_id BIGINT, item_key BIGINT, artist_id BIGINT, played_at TIMESTAMP, played_at_local TIMESTAMP, utc_offset_minutes INTEGER, date DATE, play_hour INTEGER, duration_secs INTEGER, is_complete BOOLEAN, is_short BOOLEAN",
  fact_play_day:
    "kind VARCHAR, zone_id BIGINT, item_key BIGINT, artist_id BIGINT, date DATE, plays BIGINT, play_seconds BIGINT, complete_plays BIGINT, measured_plays BIGINT, short_plays BIGINT",
  fact_play_item_day:
    "kind VARCHAR, item_key BIGINT, artist_id BIGINT, date DATE, plays BIGINT, play_seconds BIGINT, complete_plays BIGINT, measured_plays BIGINT, short_plays BIGINT",
  fact_play_zone_day:
    "kind VARCHAR, zone_id BIGINT, date DATE, plays BIGINT, play_seconds BIGINT, complete_plays BIGINT, measured_plays BIGINT, short_plays BIGINT, items BIGINT",
  fact_play_zone_hour:
    "kind VARCHAR, zone_id BIGINT, date DATE, play_hour INTEGER, plays BIGINT, play_seconds BIGINT, complete_plays BIGINT, measured_plays BIGINT, short_plays BIGINT",
  fact_campaign_zone_day:
    "campaign_key BIGINT, kind VARCHAR, zone_id BIGINT, date DATE, state VARCHAR, is_assumed BOOLEAN, candidate_plays BIGINT, play_seconds BIGINT, exclusive_plays BIGINT, weighted_plays DOUBLE, complete_plays BIGINT, measured_plays BIGINT, active_assets BIGINT, played_assets BIGINT",
  fact_zone_day_listing:
    "kind VARCHAR, zone_id BIGINT, date DATE, owner_kind VARCHAR, owner_id BIGINT, start_at TIMESTAMP, end_at TIMESTAMP, after_at TIMESTAMP, is_assumed BOOLEAN, has_plays BOOLEAN, is_closed BOOLEAN, is_up BOOLEAN, is_down BOOLEAN",
  fact_listed_campaign:
    "kind VARCHAR, owner_kind VARCHAR, owner_id BIGINT, campaign_key BIGINT, campaign_name VARCHAR, status VARCHAR, is_enabled BOOLEAN, add_date DATE, start_date DATE, end_date DATE, record_error VARCHAR, rule_id BIGINT, rrule VARCHAR, rule_error VARCHAR, is_every_day BOOLEAN, from_at TIMESTAMP, until_at TIMESTAMP, seen_from_at TIMESTAMP, last_seen_at TIMESTAMP",
  fact_listed_asset:
    "kind VARCHAR, owner_kind VARCHAR, owner_id BIGINT, campaign_key BIGINT, item_key BIGINT, start_date DATE, end_date DATE, from_at TIMESTAMP, until_at TIMESTAMP, seen_from_at TIMESTAMP, last_seen_at TIMESTAMP",
  fact_rule_date: "rule_id BIGINT, date DATE",
  fact_rule_ended_day: "rule_id BIGINT, zone_id BIGINT, date DATE",
  dim_device:
    "device_id BIGINT, zone_id BIGINT, platform VARCHAR, model VARCHAR, firmware VARCHAR, version VARCHAR, first_seen_at TIMESTAMP, last_seen_at TIMESTAMP, status VARCHAR, last_online_at TIMESTAMP, last_play_at TIMESTAMP, last_sd_error VARCHAR, last_sd_error_at TIMESTAMP, storage_used_mb DOUBLE, storage_total_mb DOUBLE",
  dim_component: "component_id BIGINT, component_name VARCHAR, state VARCHAR, parent_id BIGINT",
  dim_notice:
    "notice_id BIGINT, type VARCHAR, state VARCHAR, subject VARCHAR, url VARCHAR, began_at TIMESTAMP, ended_at TIMESTAMP",
  fact_device_day:
    "device_id BIGINT, zone_id BIGINT, date DATE, up_seconds BIGINT, down_seconds BIGINT, unknown_seconds BIGINT, open_up_seconds BIGINT, open_down_seconds BIGINT, planned_down_seconds BIGINT, silent_seconds BIGINT, playing_while_down_seconds BIGINT, outages BIGINT, bandwidth_kbps DOUBLE",
  fact_zone_uptime:
    "zone_id BIGINT, date DATE, start_at TIMESTAMP, end_at TIMESTAMP, up_seconds BIGINT, down_seconds BIGINT, unknown_seconds BIGINT, open_up_seconds BIGINT, open_down_seconds BIGINT, planned_down_seconds BIGINT, silent_seconds BIGINT, playing_while_down_seconds BIGINT, outages BIGINT",
  fact_outage:
    "outage_key VARCHAR, device_id BIGINT, zone_id BIGINT, date DATE, started_at TIMESTAMP, ended_at TIMESTAMP, down_seconds BIGINT, is_open BOOLEAN",
  fact_freshness: "group_id BIGINT, kind VARCHAR, source VARCHAR, requested_at TIMESTAMP",
  fact_clock_ahead:
    "device_id BIGINT, zone_id BIGINT, date DATE, date_time VARCHAR, snapshots BIGINT, seconds_ahead BIGINT",
  fact_zone_opening: "zone_id BIGINT, date DATE, opens_at TIMESTAMP, closes_at TIMESTAMP",
  bridge_outage_notice: "outage_key VARCHAR, notice_id BIGINT",
  fact_load:
    "load_id BIGINT, source VARCHAR, kind VARCHAR, group_id BIGINT, zone_id BIGINT, requested_at TIMESTAMP, loaded_at TIMESTAMP, bytes BIGINT, lines BIGINT, new_plays BIGINT, changed BIGINT, unchanged BIGINT, duplicate BIGINT, rejected BIGINT, blank BIGINT, zero_second BIGINT, vanished BIGINT",
  fact_snapshot:
    "snapshot_id BIGINT, source VARCHAR, kind VARCHAR, group_id BIGINT, zone_id BIGINT, requested_at TIMESTAMP, loaded_at TIMESTAMP, records BIGINT, rejected BIGINT",
  fact_unknown_field:
    "source VARCHAR, kind VARCHAR, field VARCHAR, answers BIGINT, records BIGINT, first_seen_at TIMESTAMP, last_seen_at TIMESTAMP",
  fact_reject: "load_id BIGINT, line_number BIGINT, reason VARCHAR, line VARCHAR",
  fact_restatement:
    "version VARCHAR, kind VARCHAR, date DATE, plays_before BIGINT, plays_after BIGINT, states_changed BIGINT",
  mart_info: "version VARCHAR, built_at TIMESTAMP, data_as_of TIMESTAMP, software_version VARCHAR",
};

let warehouse: DuckDb;
beforeAll(async () => {
  warehouse = await openWarehouse({ path: ":memory:" });
  await buildMart(warehouse, buildOptions);
});
afterAll(() => warehouse.close());

it("the mart has these tables and no other", () => {
  const tables = listModels().flatMap(({ schema, table }) => (schema === "mart" ? [table] : []));
  expect(tables.sort()).toEqual(Object.keys(contract).sort());
});

it.each(Object.keys(contract))("mart.%s has the columns that are promised", async (table) => {
  const columns = await describeModel(`mart.${table}`);
  expect(columns.map(({ name, type }) => `${name} ${type}`).join(", ")).toBe(contract[table]);
});

describe.each(listModels())("$name", ({ schema, table, name, sql, columns, grain, reads, published }) => {
  it("describes each column, and nothing else, in their order", async () => {
    expect(columns.map((column) => column.name)).toEqual(
      (await describeModel(name)).map((column) => column.name),
    );
    expect(columns.filter(({ text }) => text !== "" && !/\.$|^= \S+$/.test(text))).toEqual([]);
  });

  it("defines each column that is published", () => {
    const described = schema === "mart" ? describeColumns(table) : [];
    expect(described.filter(({ label, unit, definition }) => !label || !unit || !definition)).toEqual([]);
  });

  it("names what it reads", async () => {
    expect(reads).toEqual(await listTables(warehouse, sql));
  });

  it("names columns of its own in grain and order", () => {
    const own = columns.map((column) => column.name);
    expect(
      [...grain, ...published.orderedBy].filter((column) => !own.includes(column) && column !== "one row"),
    ).toEqual([]);
  });
});

async function describeModel(name: string): Promise<{ name: string; type: string }[]> {
  return await warehouse.all(`select column_name as name, column_type as type from (describe ${name})`);
}
