import { expect } from "vitest";
import { itInAll } from "../support/long-suite.ts";
import { setNow, setUp } from "../support/service.ts";
import { readCore } from "./core-figures.ts";
import { syncHere } from "./sync-workspace.ts";

itInAll("observes nothing between a cached response and now", async () => {
  const setup = await setUp({
    days: 3,
    zones: 2,
    playScale: 0.02,
    listingMaxAgeSeconds: 3600,
  });
  // Exports are refused, so histories are walked.
  setup.emulator.setFaults([{ name: "group-forbidden", endpoint: "/history/export" }]);
  const first = setup.emulator.now();
  for (const minutes of [0, 20, 40]) {
    setNow(setup, new Date(first.getTime() + minutes * 60_000));
    const { failures } = await syncHere(setup);
    expect(failures).toEqual([]);
  }
  const snapshots = await readCore<{ source: string; listings: number; observed: string[] }>(
    setup,
    `select source, count(*)::integer as listings, list(distinct strftime(requested_at, '%H:%M:%S.%g')) as observed
     from core.snapshot group by source order by source`,
  );
  const at = first.toISOString().slice(11, 23);
  expect(snapshots).toEqual(
    ["assets", "campaigns", "components", "devices", "notices"].map((source) => ({
      source,
      listings: expect.any(Number),
      observed: [at],
    })),
  );
  for (const { listings } of snapshots) expect(listings).toBeGreaterThan(1);
  const walks = await readCore<{ observed: string[] }>(
    setup,
    `select list(distinct strftime(requested_at, '%H:%M:%S.%g')) as observed from core.load where source = 'walk'`,
  );
  expect(walks).toEqual([{ observed: [at] }]);
});
