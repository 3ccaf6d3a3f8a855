import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { prepareCore } from "../../src/load/prepare-core.ts";
import { insertCoreRows } from "../support/core-rows.ts";
import { loadCampaigns } from "../support/load-listing.ts";
import { createLoadFixture } from "./load-fixture.ts";

it("prepares the analysts' files and campaigns' dates beyond the newest day for a build", async () => {
  const { folder, warehouse } = await createLoadFixture();
  const path = join(folder, "campaigns.jsonl");
  writeFileSync(path, JSON.stringify({ campaign_id: 1, rrule: "FREQ=DAILY", start_date: "2026-03-01" }));
  const requestedAt = new Date("2026-03-10");
  const landing = { landingId: "1", path, kind: "signage", groupId: 1, requestedAt } as const;
  await loadCampaigns(warehouse, landing, { loadedAt: new Date("2026-03-11") });
  await insertCoreRows(warehouse, "zone_day", [{ zone_id: 7, date: "2026-08-01" }]);
  writeFileSync(join(folder, "group_names.csv"), "group_id,group_name\n17,North\n");
  const dates = async () => await warehouse.all("from core.campaign_date where date > '2026-08-01'");
  expect(await dates()).toEqual([]);

  await prepareCore(warehouse, folder);
  expect(await warehouse.all("select * from core.group_name")).toEqual([
    { group_id: 17, group_name: "North" },
  ]);
  expect(await dates()).not.toEqual([]);
});
