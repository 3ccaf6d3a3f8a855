import { expect, it } from "vitest";
import { pinTables } from "../../../src/report/published/pin-tables.ts";

const snapshots = new Map([
  ["mart.fact_play", "12"],
  ["mart.dim_zone", "7"],
  ["staging.freshness", "9"],
]);

it.each([
  ["select 1 from fact_play as f", "select 1 from fact_play for version as of 12 as f"],
  [
    "select 1 from fact_play join mart.dim_zone on true",
    "select 1 from fact_play for version as of 12 join mart.dim_zone for version as of 7 on true",
  ],
  ["select 1 FROM\n  staging.freshness", "select 1 FROM\n  staging.freshness for version as of 9"],
  ["select fact_play.a from (select 1) as fact_play", "select fact_play.a from (select 1) as fact_play"],
  [
    "with fact_play as (select 1) select 2 from fact_play",
    "with fact_play as (select 1) select 2 from fact_play",
  ],
  [
    "select 'from fact_play' -- from dim_zone\nfrom x.dim_zone",
    "select 'from fact_play' -- from dim_zone\nfrom x.dim_zone",
  ],
  ["select 1 from fact_play_day", "select 1 from fact_play_day"],
])("%s", (sql, pinned) => {
  expect(pinTables(sql, snapshots)).toBe(pinned);
});
