import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openSqlite } from "../../src/state/sqlite.ts";
import { itEachSampled } from "../support/long-suite.ts";
import { runVenue, startVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";

/** Throws from a timer once a file exists. */
const throwing = `const { existsSync } = require("node:fs");
setInterval(() => {
  if (existsSync("throw")) throw new Error("thrown by a timer");
}, 20).unref();`;

/** Counts the landings of devices recorded in state.db; a file alone may still be unrecorded. */
function countDevicesListings(dataFolder: string): number {
  const landing = join(dataFolder, "landing");
  if (!existsSync(landing) || !readdirSync(landing).some((name) => /^devices.*\.jsonl$/.test(name))) return 0;
  const database = openSqlite(join(dataFolder, "state.db"), "state/data");
  try {
    return database.find<{ n: number }>("select count(*) as n from landing where source = 'devices'")?.n ?? 0;
  } finally {
    database.close();
  }
}

itEachSampled(["json", "text"], 1)(
  "exits with 70 when a timer throws and keeps saved work (%s)",
  async (log) => {
    const setup = await setUp({ days: 2, zones: 2, playScale: 0.1 });
    setup.emulator.setFaults([{ name: "slow", value: 60_000, endpoint: "/history" }]);
    const preload = join(setup.workingFolder, "throwing.cjs");
    writeFileSync(preload, throwing);
    const environment = { ...setup.environment, NODE_OPTIONS: `--require ${preload}`, VENUE_LOG: log };
    const running = startVenue(["sync", "history", "devices"], { ...setup, environment });
    while (countDevicesListings(setup.dataFolder) < 2)
      await new Promise((resolve) => setTimeout(resolve, 10));
    writeFileSync(join(setup.workingFolder, "throw"), "");
    const { code, stderr } = await running.finished;
    expect(code, stderr).toBe(70);
    expect(stderr).toMatch(/this is a bug in venue-analytics: Error: thrown by a timer/);
    expect(stderr).not.toMatch(/^\s+at /m);

    setup.emulator.setFaults([]);
    const again = await runVenue(["sync", "history", "devices"], setup);
    expect(again.code, again.stderr).toBe(0);
    expect(again.stdout).toMatch(/devices: 2 of 2 sources complete, 2 collected before this run was resumed/);
  },
);
