import { statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { loadCaseListings, setZoneDays } from "../support/case-listings.ts";
import { itInAll } from "../support/long-suite.ts";
import { PublishedWarehouse, song } from "./published-warehouse.ts";

const campaigns = [{ campaign_id: 5, assets: [7] }];

const open = PublishedWarehouse.prepareCopies(async (empty) => {
  await empty.addPlays([song("2026-09-30 10:00:00"), song("2026-10-05 10:00:00")]);
  await loadCaseListings(empty.warehouse, [{ zoneId: 1, requestedAt: "2026-09-01T06:00:00Z", campaigns }]);
  await setZoneDays(empty.warehouse, [{ zoneId: 1, from: "2026-09-20", to: "2026-10-20" }]);
  await empty.buildAndPublish();
});

let published: PublishedWarehouse;
beforeEach(async () => {
  published = await open();
});

/** By month of a fact: whether its file is shared with the previous version. */
function linked(table: string, before: string, after: string): Record<string, boolean> {
  const inode = (folder: string, month: string) =>
    statSync(join(folder, table, `month=${month}`, "data.parquet")).ino;
  return Object.fromEntries(
    ["2026-09", "2026-10"].map((month) => [month, inode(before, month) === inode(after, month)]),
  );
}

itInAll("a new listing writes the months of cells it changes, and none of plays", async () => {
  const first = published.last;
  await loadCaseListings(published.warehouse, [
    { zoneId: 1, requestedAt: "2026-10-10T06:00:00Z", campaigns },
    {
      zoneId: 1,
      requestedAt: "2026-10-12T06:00:00Z",
      campaigns: [{ campaign_id: 5, assets: [7], status: "disabled" }],
    },
  ]);
  const second = await published.buildAndPublish();
  expect(linked("fact_play", first.folder, second.folder)).toEqual({ "2026-09": true, "2026-10": true });
  const rows = await published.read(
    "select max(date)::varchar as last from read_parquet('{}/fact_campaign_zone_day/**/*.parquet')",
  );
  expect(rows).toEqual([{ last: "2026-10-12" }]);
});

it("another play of a song writes the month of plays, and none of cells", async () => {
  const first = published.last;
  await published.addPlays([song("2026-10-05 11:00:00")]);
  const second = await published.buildAndPublish();
  expect(linked("fact_play", first.folder, second.folder)).toEqual({ "2026-09": true, "2026-10": false });
  expect(linked("fact_campaign_zone_day", first.folder, second.folder)).toEqual({
    "2026-09": true,
    "2026-10": true,
  });
});

itInAll("a listing repeated weeks later writes the months since the previous one", async () => {
  await loadCaseListings(published.warehouse, [
    { zoneId: 1, requestedAt: "2026-10-15T06:00:00Z", campaigns },
  ]);
  const first = await published.buildAndPublish();
  await loadCaseListings(published.warehouse, [
    { zoneId: 1, requestedAt: "2026-10-16T06:00:00Z", campaigns },
  ]);
  const second = await published.buildAndPublish();
  expect(linked("fact_campaign_zone_day", first.folder, second.folder)).toEqual({
    "2026-09": true,
    "2026-10": false,
  });
});
