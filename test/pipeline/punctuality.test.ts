import { expect } from "vitest";
import { build } from "../../src/pipeline/build.ts";
import { withWarehouse } from "../../src/workspace/workspace.ts";
import { itInAll } from "../support/long-suite.ts";
import { setUp } from "../support/service.ts";
import { CampaignTruth } from "./campaign-truth.ts";
import { openWorkspace, syncHere } from "./sync-workspace.ts";

itInAll("times of day in rules are due and met as in the emulated world, cell by cell", async () => {
  const setup = await setUp({ seed: 9, days: 35, zones: 5, playScale: 0.1, ratePerSecond: 1000 });
  const { emulator } = setup;
  expect((await syncHere(setup, { topics: ["history", "campaigns"] })).failures).toEqual([]);
  await build(openWorkspace(setup));

  const { world } = emulator;
  const zones = world.groupIds.flatMap((groupId) => world.zonesOfGroup(groupId));
  const now = emulator.now();
  const truth = new CampaignTruth(world).cells({
    zones: [...new Map(zones.map((zone) => [zone.zoneId, zone])).values()],
    now,
    openWeekdays: new Map(),
    devices: new Map(),
    listedAtMs: () => [now.getTime()],
  });
  const timed = truth.filter((cell) => !cell.endsWith("- -"));
  const told = timed.map((cell) => cell.split(" ").slice(-2).map(Number));
  expect(told.filter(([due = 0]) => due > 0).length).toBeGreaterThan(50);
  expect(new Set(told.map(([due, met]) => due === met))).toEqual(new Set([true, false]));
  await withWarehouse(openWorkspace(setup), async (warehouse) => {
    const rows = await warehouse.all<{ cell: string }>(
      `select f.kind || ' ' || c.campaign_id || ' ' || f.zone_id || ' ' || f.date || ' ' || f.due_times || ' '
        || f.met_times as cell
      from mart.fact_campaign_zone_day as f inner join mart.dim_campaign as c using (campaign_key)
      where f.due_times is not null`,
    );
    const expected = timed.map((cell) => {
      const [kind, campaign, zone, date, , , , , due, met] = cell.split(" ");
      return [kind, campaign, zone, date, due, met].join(" ");
    });
    expect(rows.map(({ cell }) => cell).sort()).toEqual(expected.sort());
  });
});
