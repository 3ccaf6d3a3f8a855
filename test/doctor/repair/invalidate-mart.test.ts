import { beforeEach, expect } from "vitest";
import { invalidateMart } from "../../../src/doctor/repair/repair-warehouse.ts";
import { PublishedWarehouse, song } from "../../publish/published-warehouse.ts";
import { loadCaseListings, setZoneDays } from "../../support/case-listings.ts";
import { insertCoreRows } from "../../support/core-rows.ts";
import { itInAll } from "../../support/long-suite.ts";

let published: PublishedWarehouse;

/** Campaign 5 ran only in zone 1 on October 5. */
beforeEach(async () => {
  published = await PublishedWarehouse.open();
  await addPlay("2026-10-05 12:00:00");
  const { warehouse } = published;
  const listing = { zoneId: 1, campaigns: [{ campaign_id: 5, assets: [7] }] };
  await loadCaseListings(warehouse, [{ ...listing, requestedAt: "2026-09-01T06:00:00Z" }]);
  await setZoneDays(warehouse, [{ zoneId: 1, from: "2026-09-20", to: "2026-10-20" }]);
  const walk = { load_id: 1, source: "walk", kind: "signage", zone_id: 1, is_complete: true };
  const exported = { load_id: 2, source: "export", kind: "signage", group_id: 1, is_complete: true };
  await insertCoreRows(
    warehouse,
    "load",
    [walk, exported].map((load) => ({ ...load, requested_at: "2026-10-20 06:00:00" })),
  );
});

async function addPlay(playedAt: string): Promise<void> {
  await published.addPlays([{ ...song(playedAt), kind: "signage", item_id: 7, artist_id: null }]);
}

async function restatements(): Promise<unknown[]> {
  return await published.warehouse.all(
    "select version, date::varchar as date, plays_before, states_changed from core.restatement order by date",
  );
}

itInAll("a lost mart that is rebuilt restates only what changed", async () => {
  const { warehouse, folder } = published;
  await published.buildAndPublish();
  await warehouse.run("drop table mart.fact_campaign_zone_day");
  await addPlay("2026-10-12 12:00:00");
  // A killed repair is run again.
  for (const _time of [1, 2]) await invalidateMart(warehouse, folder);
  const { version } = await published.buildAndPublish(true);
  expect(await restatements()).toEqual([{ version, date: "2026-10-12", plays_before: 0, states_changed: 1 }]);
});

itInAll("a mart lost when a publish was killed after readers got its version, too", async () => {
  const { warehouse, folder } = published;
  await published.buildAndPublish();
  // The published version had not been recorded yet.
  await warehouse.run(`
    update core.version set published_at = null;
    delete from core.published_day;
    insert into core.unpublished_day select distinct kind, date from core.play;
    insert into core.unpublished_campaign_day select distinct kind, date from mart.fact_campaign_zone_day;
    drop table mart.fact_campaign_zone_day;
    drop table mart.fact_play_zone_day`);
  await addPlay("2026-10-05 13:00:00");
  await addPlay("2026-10-12 12:00:00");
  for (const _time of [1, 2]) await invalidateMart(warehouse, folder);
  const { version } = await published.buildAndPublish(true);
  expect(await restatements()).toEqual([
    { version, date: "2026-10-05", plays_before: 1, states_changed: 0 },
    { version, date: "2026-10-12", plays_before: 0, states_changed: 1 },
  ]);
});
