import { existsSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LandingUnreadableError } from "../../../src/load/errors.ts";
import { LandingLoader, type LoadSummary } from "../../../src/load/landings/landing-loader.ts";
import type { Landing } from "../../../src/state/data/landings.ts";
import { withWarehouse } from "../../../src/workspace/workspace.ts";
import { itInAll } from "../../support/long-suite.ts";
import { musicLine } from "../load-fixture.ts";
import { Landed, service } from "./landed.ts";

function openLoader({ workspace }: Landed): { loader: LandingLoader; loaded: LoadSummary } {
  const loaded: LoadSummary = { loads: [], listings: 0, failures: [] };
  return { loader: new LandingLoader(workspace, loaded), loaded };
}

const walkOf = (zoneId: number) => ({ source: "walk", kind: "music", zoneId }) as const;
const campaignsOf = (zoneId: number) => ({ source: "campaigns", kind: "signage", zoneId }) as const;

it("loads all landings, walks and listings together, and records them as loaded", async () => {
  const landed = new Landed();
  const { loader, loaded } = openLoader(landed);
  loader.add(landed.land(campaignsOf(7), { lines: [] }));
  loader.add(landed.land({ source: "export", kind: "music", groupId: 1 }));
  for (const zone of [8, 9]) loader.add(landed.land(walkOf(zone)));
  loader.add(landed.land(campaignsOf(8), { lines: [] }));
  await loader.finish();
  expect(loaded.loads.map(({ source, newPlays }) => [source, newPlays])).toEqual([
    ["export", 1],
    ["walk", 1],
    ["walk", 1],
  ]);
  expect([loaded.listings, loaded.failures, loader.failure.aborted]).toEqual([2, [], false]);
  expect(landed.workspace.state.landings.listReady()).toEqual([]);
  await withWarehouse(landed.workspace, async (warehouse) => {
    expect(await warehouse.get("select count(*) as plays from core.play")).toEqual({ plays: 3 });
  });
});

it("loads histories as they arrive, and lets listings wait for more", async () => {
  const landed = new Landed();
  const { loader, loaded } = openLoader(landed);
  for (let zone = 1; zone < 250; zone += 1) loader.add(landed.land(campaignsOf(zone), { lines: [] }));
  // A load that had begun would have progressed as far as this one.
  const other = new Landed();
  const { loader: otherLoader } = openLoader(other);
  otherLoader.add(other.land(walkOf(8)));
  await otherLoader.finish();
  expect(existsSync(landed.workspace.folder.warehouseFile)).toBe(false);
  loader.add(landed.land(campaignsOf(250), { lines: [] }));
  await expect.poll(() => loaded.listings, { timeout: 30_000 }).toBe(250);
  loader.add(landed.land(walkOf(8)));
  await expect.poll(() => loaded.loads.length, { timeout: 30_000 }).toBe(1);
  await loader.finish();
});

it("continues if a landing is missing or broken, and has it collected again", async () => {
  const landed = new Landed();
  const { folder, state } = landed.workspace;
  const { loader, loaded } = openLoader(landed);
  const known = (zoneId: number) => state.walks.open(service, walkOf(zoneId)).knownTotal;
  const gone = landed.land(walkOf(8));
  const packed = landed.land(
    { source: "export", kind: "music", groupId: 1 },
    { path: "landing/broken.jsonl.gz" },
  );
  writeFileSync(folder.resolve(packed.path), "no gzip");
  rmSync(folder.resolve(gone.path));
  state.walks.complete(state.walks.open(service, walkOf(8)).walkId, {
    ...{
      landingId: gone.landingId,
      order: undefined,
      knownTotal: 1,
      top: [],
      requests: 1,
      isSince: false,
    },
    ...{ ahead: undefined, surplus: undefined, completedAt: gone.requestedAt },
  });
  loader.add(gone);
  loader.add(landed.land(walkOf(9)));
  loader.add(packed);
  await expect.poll(() => loaded.failures.length, { timeout: 30_000 }).toBe(2);
  expect(known(8), "a walk under way may build upon it").toBe(1);
  await loader.finish();
  expect(known(8)).toBeUndefined();
  expect(loaded.loads.map(({ newPlays }) => newPlays)).toEqual([1]);
  expect(loaded.failures.map(({ source, error }) => [source, error.message])).toEqual([
    [
      gone.path,
      expect.stringMatching(
        /^landing\/walk-.* was collected but can no longer be read \(.*\)\. The next sync will collect it again\.$/,
      ),
    ],
    [packed.path, expect.stringContaining("landing/broken.jsonl.gz was collected")],
  ]);
  expect(loaded.failures.map(({ error }) => error.cause)).toEqual([
    expect.any(LandingUnreadableError),
    expect.any(LandingUnreadableError),
  ]);
  expect(state.landings.listReady()).toEqual([]);
  expect(state.landings.listLoaded()).toHaveLength(1);
});

it("has a lost walk collected again although a later load fails", async () => {
  const landed = new Landed();
  const { folder, state } = landed.workspace;
  const { loader, loaded } = openLoader(landed);
  const complete = ({ landingId, requestedAt }: Landing, knownTotal: number) =>
    state.walks.complete(state.walks.open(service, walkOf(8)).walkId, {
      ...{ landingId, knownTotal, completedAt: requestedAt, order: undefined, top: [], requests: 1 },
      ...{ isSince: true, ahead: undefined, surplus: undefined },
    });
  const gone = landed.land(walkOf(8));
  rmSync(folder.resolve(gone.path));
  loader.add(gone);
  await expect.poll(() => loaded.failures.length, { timeout: 30_000 }).toBe(1);
  const later = landed.land(walkOf(8));
  complete(later, 2);
  loader.add(later);
  await expect.poll(() => loaded.loads.length, { timeout: 30_000 }).toBe(1);
  await expect.poll(() => state.landings.listReady().length, { timeout: 30_000 }).toBe(0);
  writeFileSync(folder.warehouseFile, "no database".repeat(2000));
  loader.add(landed.land(walkOf(9)));
  await expect(loader.finish()).rejects.toThrow("warehouse.duckdb");
  expect(state.walks.open(service, walkOf(8)).knownTotal).toBeUndefined();
});

itInAll("has all notices collected again if one of their landings is lost, and nothing else", async () => {
  const landed = new Landed();
  const { folder, state } = landed.workspace;
  const { loader, loaded } = openLoader(landed);
  const statusUrl = "http://127.0.0.1:9/status";
  const lose = (landing: Landing) => {
    rmSync(folder.resolve(landing.path));
    loader.add(landing);
  };
  state.knownNotices.remember(statusUrl, [
    { noticeId: 1, updatedAt: "2026-06-01", timelineState: "present" },
  ]);
  lose(landed.land({ source: "components" }));
  await loader.finish();
  expect(state.knownNotices.known(statusUrl).size).toBe(1);
  lose(landed.land({ source: "notices" }));
  await loader.finish();
  expect(state.knownNotices.known(statusUrl).size).toBe(0);
  expect(loaded.failures).toHaveLength(2);
});

it("reports why nothing can be loaded, and leaves waiting landings to the next run", async () => {
  const landed = new Landed();
  const { folder, state } = landed.workspace;
  writeFileSync(folder.warehouseFile, "no database".repeat(2000));
  const { loader, loaded } = openLoader(landed);
  loader.add(landed.land(walkOf(8)));
  await expect.poll(() => loader.failure.aborted, { timeout: 30_000 }).toBe(true);
  loader.add(landed.land(walkOf(9)));
  await expect(loader.finish()).rejects.toThrow("warehouse.duckdb");
  expect(loaded).toEqual({ loads: [], listings: 0, failures: [] });
  expect(state.landings.listReady()).toHaveLength(2);
});

itInAll("loads walks one by one if one of them has plays of another zone", async () => {
  const landed = new Landed();
  const { loader, loaded } = openLoader(landed);
  const lines = [musicLine({ zone_id: 7 }), musicLine({ zone_id: 5 })];
  for (const zone of [7, 8]) loader.add(landed.land(walkOf(zone), zone === 7 ? { lines } : {}));
  await loader.finish();
  expect(loaded.loads.map(({ newPlays }) => newPlays).sort()).toEqual([1, 2]);
});
