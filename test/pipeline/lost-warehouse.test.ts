import { readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { findManifest } from "../../src/mart/manifest.ts";
import { build } from "../../src/pipeline/build.ts";
import { itInAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { setNow, setUp } from "../support/service.ts";
import { openWorkspace, syncHere } from "./sync-workspace.ts";

const halfDayMs = 12 * 3_600_000;

itInAll(
  "a lost warehouse: what syncs can't bring back is named, and published away only when that is accepted",
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
      new RegExp(`fact_device_day: ${before.deviceDays} rows before, 0 now; nothing any more of \\d days, `),
    );
    expect(refused.stderr).toMatch(/fact_snapshot: \d+ rows before, \d+ now\n/);
    expect(refused.stderr).toMatch(/fact_load: \d+ rows before, \d+ now\n/);
    // The service gives all plays again.
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
