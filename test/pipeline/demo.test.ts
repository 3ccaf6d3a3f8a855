import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Settings } from "../../src/config/settings.ts";
import { demo } from "../../src/pipeline/demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it("the demo builds and reports on this machine, of its own world, whatever the settings name", async () => {
  const workingFolder = createTempFolder();
  // As an earlier demo left it: devices were looked at.
  mkdirSync(join(workingFolder, "data", "demo", "published", "current"), { recursive: true });
  const settings = new Settings({
    flags: {},
    environment: {
      VENUE_ENGINE: "trino",
      VENUE_TRINO_URL: "http://127.0.0.1:1",
      VENUE_DOWN_STATUS: "lost",
      VENUE_SERVICE_TIME_ZONE: "Asia/Kolkata",
      VENUE_ASSET_DURATION_UNIT: "milliseconds",
    },
    workingFolder,
  });
  const openWorkspace = () => Promise.reject(new Error("nothing is to be collected"));
  await demo({ settings, keepLandingDays: 7, openWorkspace }, async ({ settings: used }) => {
    expect([
      used.get("VENUE_ENGINE"),
      used.get("VENUE_DOWN_STATUS"),
      used.get("VENUE_SERVICE_TIME_ZONE"),
      used.get("VENUE_ASSET_DURATION_UNIT"),
    ]).toEqual(["duckdb", ["offline"], "UTC", "seconds"]);
  });
});
