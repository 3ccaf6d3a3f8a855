import { readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { repairWarehouse } from "../../src/doctor/repair/repair-warehouse.ts";
import { findManifest } from "../../src/mart/manifest.ts";
import { build } from "../../src/pipeline/build.ts";
import { collectAndLoad } from "../../src/pipeline/sync.ts";
import { itEachSampled, itInAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { setNow, setUp, trueFigures } from "../support/service.ts";
import { coreFigures } from "./core-figures.ts";
import { openWorkspace, syncHere } from "./sync-workspace.ts";

const halfDayMs = 12 * 3_600_000;

itInAll(
  "a lost warehouse: reports what syncs cannot recover, and publishes without it only when accepted",
  async () => {
    const setup = await setUp({ days: 6, zones: 2, playScale: 0.2 });
    const { folder } = openWorkspace(setup);
    const shown = () => {
      const version = readlinkSync(join(folder.published, "current"));
      const tables = findManifest(join(folder.published, version))?.tables ?? {};
      return { version, deviceDays: tables.fact_device_day?.rows, plays: tables.fact_play?.rows };
    };
    for (const halfDaysBefore of [6, 4, 2, 0]) {
      setNow(setup, new Date(setup.emulator.world.endsAt.getTime() - halfDaysBefore * halfDayMs));
      await syncHere(setup);
    }
    await build(openWorkspace(setup));
    const before = shown();
    expect(before.deviceDays).toBeGreaterThan(6);

    rmSync(folder.warehouseFile);
    rmSync(`${folder.warehouseFile}.wal`, { force: true });
    await syncHere(setup);
    const refused = await runVenue(["build"], setup);
    expect(refused.stderr).toMatch(
      new RegExp(`fact_device_day: ${before.deviceDays} rows before, 0 now; no rows left for \\d days, `),
    );
    expect(refused.stderr).toMatch(/fact_snapshot: \d+ rows before, \d+ now\n/);
    expect(refused.stderr).toMatch(/fact_load: \d+ rows before, \d+ now\n/);
    // The service returns all plays again.
    expect(refused.stderr).not.toContain("fact_play");
    expect(refused.stderr).toContain("venue build --accept-loss");
    expect(refused.code).toBe(4);
    expect(shown()).toEqual(before);

    const accepted = await runVenue(["build", "--accept-loss"], setup);
    expect(accepted.code, accepted.stderr).toBe(0);
    expect(shown()).toEqual({ ...before, version: expect.not.stringMatching(before.version), deviceDays: 0 });
    expect((await runVenue(["build"], setup)).code).toBe(0);
  },
);

itEachSampled(["repaired", "missing"], 1)(
  "collects again what an unfinished run had collected: a warehouse %s",
  async (state) => {
    const setup = await setUp({ days: 4, zones: 2, playScale: 0.1 });
    const { endsAt } = setup.emulator.world;
    const walks = { mode: "walk", topics: ["history", "devices"], keepLandingDays: 7 } as const;
    setNow(setup, new Date(endsAt.getTime() - 2 * halfDayMs));
    await syncHere(setup, walks);
    setNow(setup, endsAt);
    await collectAndLoad(openWorkspace(setup), walks);
    const workspace = openWorkspace(setup);
    rmSync(workspace.folder.warehouseFile);
    if (state === "repaired") await repairWarehouse(workspace);
    await syncHere(setup, walks);
    expect(await coreFigures(setup)).toEqual(trueFigures(setup.emulator.world, endsAt));
  },
);

itInAll("reads zones again in the sync that finds a landing of their walks missing", async () => {
  const setup = await setUp({ days: 4, zones: 1, playScale: 0.1 });
  const { endsAt } = setup.emulator.world;
  const walks = { mode: "walk", topics: ["history", "devices"], keepLandingDays: 7 } as const;
  setNow(setup, new Date(endsAt.getTime() - 2 * halfDayMs));
  await syncHere(setup, walks);
  // As if the machine had stopped before loading them.
  const { folder, state } = openWorkspace(setup);
  rmSync(folder.warehouseFile);
  const landings = state.landings.listLoaded();
  state.landings.mark("ready", ...landings.map(({ landingId }) => landingId));
  for (const { path, source } of landings) if (source === "walk") rmSync(folder.resolve(path));
  setNow(setup, endsAt);
  const { failures } = await syncHere(setup, walks);
  expect(failures.map(({ error }) => error.code)).toEqual(Array(3).fill("LANDING_LOST"));
  expect(await coreFigures(setup)).toEqual(trueFigures(setup.emulator.world, endsAt));
});
