import { beforeEach, expect, it } from "vitest";
import { buildModel } from "../../src/build/build-model.ts";
import { createWarehouseWorkbench } from "../../src/build/workbench.ts";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { listModels } from "../../src/mart/model.ts";
import { readSql } from "../../src/util/files/package-files.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";

/** A DuckDB cross join takes a minute or more per build; otherwise each takes under a second. */
const timeoutMs = 30_000;

let warehouse: DuckDb;
beforeEach(async () => {
  warehouse = await openNewWarehouse();
});

it(
  "opening hours of a few zones over decades: each day is joined only with nearby ones",
  async () => {
    const days = 10_000;
    await insertZoneDays(10, days);
    await warehouse.run(
      `create table staging.zone_learnt_opening as
    select zone_id, date, 32400::bigint as opens_secs, 93600::bigint as closes_secs from core.zone_day;
    create table mart.fact_rule_date as
    select 1::bigint as rule_id, date '2000-01-01' as date, '288000000000001' as time_set;
    create table mart.fact_listed_campaign as
    select 'signage' as kind, 'group' as owner_kind, 1::bigint as owner_id, 1::bigint as rule_id;
    create table mart.bridge_zone_listing as
    select distinct 'signage' as kind, 'group' as owner_kind, 1::bigint as owner_id, zone_id from core.zone_day`,
    );
    await build("mart.fact_zone_hours");
    expect(
      await warehouse.all(
        "select opens_secs, closes_secs, count(*) as days from mart.fact_zone_hours group by all order by 1",
      ),
    ).toEqual([
      { opens_secs: 0, closes_secs: 7200, days: 10 * (days - 1) },
      { opens_secs: 32_400, closes_secs: 86_400, days: 10 * days },
    ]);
  },
  timeoutMs,
);

it(
  "listings of hundreds of zones over a year: each day is joined only with those of its own zone",
  async () => {
    const days = 365;
    const zones = 800;
    await insertZoneDays(zones, days);
    await warehouse.run(
      `create table staging.zone_day_state as
    select zone_id, date, start_at, end_at, true as has_plays, false as is_closed, false as is_closed_by_hours, true as is_up, false as is_down
    from core.zone_day;
    insert into core.campaign_listing
    select
      'signage', 'zone', zone_id, start_at + interval 6 hour, 1, true,
      lag(start_at + interval 6 hour) over (partition by zone_id order by date)
    from core.zone_day;
    create table mart.bridge_zone_listing as
    select 'signage' as kind, zone_id, 'zone' as owner_kind, zone_id as owner_id, min(requested_at) as first_at
    from (select owner_id as zone_id, requested_at from core.campaign_listing) as listing group by zone_id`,
    );
    await build("mart.fact_zone_day_listing");
    expect(
      await warehouse.all(
        `select date_diff('hour', end_at, after_at) as hours, count(*) as days from mart.fact_zone_day_listing
      group by all order by all nulls last`,
      ),
    ).toEqual([
      { hours: 6, days: zones * (days - 1) },
      { hours: null, days: zones },
    ]);
  },
  timeoutMs,
);

it("moved ends of days: each is joined only with listings and days of its own zone", async () => {
  const zones = 20;
  await insertZoneDays(zones, 3_650);
  await warehouse.run(
    `create table staging.zone_day_state as
    select zone_id, date, start_at, end_at, true as has_plays, false as is_closed, false as is_closed_by_hours, true as is_up, false as is_down
    from core.zone_day;
    insert into core.built_zone_day by name
    select * replace (case when zone_id = 7 and date = '2005-05-05' then end_at + interval 8 hour else end_at end as end_at)
    from staging.zone_day_state;
    insert into core.campaign_listing
    select
      'signage', 'group', 1, start_at + interval 6 hour, 1, true,
      lag(start_at + interval 6 hour) over (order by date)
    from core.zone_day where zone_id = 1;
    create table mart.bridge_zone_listing as
    select 'signage' as kind, zone_id, 'group' as owner_kind, 1::bigint as owner_id from range(1, ${zones + 1}) as zones (zone_id);
    delete from core.campaign_listing where requested_at between '2005-05-03' and '2005-05-06';
    update core.campaign_listing set previous_at = '2005-05-02 06:00:00' where requested_at = '2005-05-06 06:00:00';
    set memory_limit = '300MB';
    set max_temp_directory_size = '0KB'`,
  );
  expect(
    await warehouse.all(
      `select cast(date as varchar) as date from (${readSql("build/touched/campaigns/zone_day.sql")}) as touched order by 1`,
    ),
  ).toEqual(["2005-05-02", "2005-05-03", "2005-05-04", "2005-05-05"].map((date) => ({ date })));
});

it.each(["staging/linked_day", "staging/listed_day"])(
  "listings are not joined with earlier or later days: %s",
  async (name) => {
    const days = 500;
    await insertZoneDays(1, days);
    await warehouse.run(
      `create table mart.fact_zone_day_listing as
    select
      'signage' as kind, 'zone' as owner_kind, zone_id as owner_id, *, end_at + interval 6 hour as after_at,
      true as has_kind
    from core.zone_day;
    create table mart.fact_listed_campaign as
    select
      kind, owner_kind, owner_id, 5::bigint as campaign_key, 5::bigint as item_key, true as is_enabled,
      null as record_error, null::bigint as rule_id, null::boolean as is_every_day, null::date as add_date,
      null::date as start_date, null::date as end_date, start_at + interval 6 hour as from_at,
      case when date < date '2000-01-01' + ${days - 1} then end_at + interval 6 hour end as until_at
    from mart.fact_zone_day_listing;
    create table mart.fact_listed_asset as from mart.fact_listed_campaign;
    create table mart.fact_rule_date as select 1::bigint as rule_id, date '2000-01-01' as date;
    create table mart.fact_rule_ended_day as
    select 1::bigint as rule_id, 1::bigint as zone_id, date '2000-01-01' as date, 0::bigint as until_secs`,
    );
    const [plan] = await warehouse.all<{ explain_value: string }>(
      `explain (analyze, format json) ${readSql(`models/${name}.sql`)}`,
    );
    const rows = [...(plan?.explain_value.matchAll(/"operator_cardinality": (\d+)/g) ?? [])].map(
      ([, count]) => Number(count),
    );
    expect(rows.length).toBeGreaterThan(2);
    expect(Math.max(...rows)).toBeLessThanOrEqual(3 * days);
  },
);

it(
  "planned maintenance is joined with existing days, not with those of each zone",
  async () => {
    await insertZoneDays(2_000, 1_000);
    await warehouse.run(
      `create table staging.planned_span as
      select timestamp '2000-01-01' + i * interval 20 minute as from_at, from_at + interval 30 day as until_at
      from range(50_000) as spans (i)`,
    );
    expect(
      await warehouse.all(
        `select count(*) as days from (${readSql("build/touched/devices/planned.sql")}) as touched`,
      ),
    ).toEqual([{ days: 725 }]);
  },
  timeoutMs,
);

async function insertZoneDays(zones: number, days: number): Promise<void> {
  await warehouse.run(
    `insert into core.zone_day by name
    select zone_id, date, date::timestamp as start_at, date + interval 1 day as end_at
    from range(1, ${zones + 1}) as zones (zone_id),
      (select date '2000-01-01' + i::integer as date from range(${days}) as days (i))`,
  );
}

async function build(name: string): Promise<void> {
  const model = listModels().find((one) => one.name === name);
  if (!model) throw new Error(`there is no model ${name}`);
  await buildModel(createWarehouseWorkbench(warehouse), model, { isFromScratch: true, dirtyDays: {} });
}
