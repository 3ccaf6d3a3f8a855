import { expect, it } from "vitest";
import { forgetMart } from "../../../src/doctor/repair/salvage-core.ts";
import { PublishedWarehouse, song } from "../../publish/published-warehouse.ts";
import { loadCaseListings, setZoneDays } from "../../support/case-listings.ts";
import { insertCoreRows } from "../../support/core-rows.ts";

it("a mart that was lost and is built anew restates what changed, and nothing else", async () => {
  const published = await PublishedWarehouse.open();
  const { warehouse, folder } = published;
  const signage = { kind: "signage", item_id: 7, artist_id: null };
  await published.addPlays([{ ...song("2026-10-05 12:00:00"), ...signage }]);
  const listing = { zoneId: 1, campaigns: [{ campaign_id: 5, assets: [7] }] };
  await loadCaseListings(warehouse, [{ ...listing, requestedAt: "2026-09-01T06:00:00Z" }]);
  await setZoneDays(warehouse, [{ zoneId: 1, from: "2026-09-20", to: "2026-10-20" }]);
  const walk = { load_id: 1, source: "walk", kind: "signage", zone_id: 1, is_complete: true };
  await insertCoreRows(warehouse, "load", [{ ...walk, requested_at: "2026-10-20 06:00:00" }]);
  await published.buildAndPublish();

  await warehouse.run("drop table mart.fact_campaign_zone_day");
  await published.addPlays([{ ...song("2026-10-12 12:00:00"), ...signage }]);
  // A repair that was killed is run again.
  for (const _time of [1, 2]) expect(await forgetMart(warehouse, folder)).toBe(false);
  const { version } = await published.buildAndPublish(true);
  expect(
    await warehouse.all(
      "select version, date::varchar as date, plays_before, states_changed from core.restatement",
    ),
  ).toEqual([{ version, date: "2026-10-12", plays_before: 0, states_changed: 1 }]);
});
