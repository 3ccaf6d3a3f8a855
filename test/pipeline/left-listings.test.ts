import { expect } from "vitest";
import { build } from "../../src/pipeline/build.ts";
import { withWarehouse } from "../../src/workspace/workspace.ts";
import { createTestApi } from "../emulator/test-api.ts";
import { itInAll } from "../support/long-suite.ts";
import { setNow, setUp } from "../support/service.ts";
import { openWorkspace, syncHere } from "./sync-workspace.ts";

const dayMs = 86_400_000;

itInAll("an archived campaign keeps its history, with when it was first and last seen", async () => {
  const setup = await setUp({ days: 6, zones: 2, playScale: 0.2 });
  const { endsAt } = setup.emulator.world;
  const days = [3, 2, 1, 0].map((daysBefore) => new Date(endsAt.getTime() - daysBefore * dayMs));
  const on = (day: number) => expect.stringContaining(days[day]?.toISOString().slice(0, 10) ?? "");
  for (const [index, day] of days.entries()) {
    setNow(setup, day);
    if (index === 2) {
      const api = await createTestApi(setup.emulator);
      const archived = { group_id: 58429, campaign_id: 1 };
      expect((await api.delete("signage/campaign/group", archived)).body).toBe(true);
    }
    const { failures } = await syncHere(setup, { topics: ["devices", "campaigns"] });
    expect(failures).toEqual([]);
  }
  const workspace = openWorkspace(setup);
  await build(workspace);
  const rows = await withWarehouse(workspace, (warehouse) =>
    warehouse.all(
      `select campaign_id, first_seen_at, last_seen_at, is_listed
       from mart.dim_campaign where kind = 'signage' order by campaign_id limit 2`,
    ),
  );
  expect(rows).toEqual([
    { campaign_id: 1, first_seen_at: on(0), last_seen_at: on(1), is_listed: false },
    { campaign_id: 2, first_seen_at: on(0), last_seen_at: on(3), is_listed: true },
  ]);
});
