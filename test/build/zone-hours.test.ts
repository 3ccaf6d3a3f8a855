import { expect, it, onTestFinished } from "vitest";
import { buildModel } from "../../src/build/build-model.ts";
import { onWarehouse } from "../../src/build/workbench.ts";
import { listModels } from "../../src/mart/model.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";

/** Ten years of few zones. */
const days = 3650;
const zones = 10;

it("hours of ten years of few zones are found in no time: each day is joined with those near it alone", async () => {
  const warehouse = await openNewWarehouse();
  onTestFinished(() => warehouse.close());
  await warehouse.run(
    `insert into core.zone_day by name
    select zone_id, date, date::timestamp as start_at, date + interval 1 day as end_at
    from range(1, ${zones + 1}) as zones (zone_id),
      (select date '2016-11-01' + i::integer as date from range(${days}) as days (i));
    create table staging.zone_learnt_opening as
    select zone_id, date, 32400::bigint as opens_secs, 93600::bigint as closes_secs from core.zone_day;
    create table mart.fact_rule_date as
    select 1::bigint as rule_id, date '2016-11-01' as date, '288000000000001' as time_set;
    create table mart.fact_listed_campaign as
    select 'signage' as kind, 'group' as owner_kind, 1::bigint as owner_id, 1::bigint as rule_id;
    create table mart.bridge_zone_listing as
    select distinct 'signage' as kind, 'group' as owner_kind, 1::bigint as owner_id, zone_id from core.zone_day`,
  );
  const model = listModels().find(({ name }) => name === "mart.fact_zone_hours");
  if (!model) throw new Error("there is no such model");
  const startedAt = performance.now();
  await buildModel(onWarehouse(warehouse), model, { isAnew: true, dirtyDays: {} });
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(
    await warehouse.all(
      "select opens_secs, closes_secs, count(*) as days from mart.fact_zone_hours group by all order by 1",
    ),
  ).toEqual([
    { opens_secs: 0, closes_secs: 7200, days: zones * (days - 1) },
    { opens_secs: 32_400, closes_secs: 86_400, days: zones * days },
  ]);
}, 300_000);
