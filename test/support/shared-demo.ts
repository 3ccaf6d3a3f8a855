import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { fewThreads } from "./long-suite.ts";
import { runVenue } from "./run-venue.ts";
import { shareFolder } from "./shared-folder.ts";

const printed = "printed.txt";

export const demoNow = new Date("2026-11-21T12:00:00Z");

/** Settings of a user on a cluster. */
const ownSettings = {
  ...fewThreads,
  VENUE_ENGINE: "trino",
  VENUE_DOWN_STATUS: "lost",
  VENUE_SETTLE_DAYS: "30",
  VENUE_SLOT_MINUTES: "1",
};

/** The working folder after `venue demo`, which runs once for all readers. */
export async function shareDemo(): Promise<string> {
  return await shareFolder("demo", async (workingFolder) => {
    const { code, stdout, stderr } = await runVenue(["demo"], { environment: ownSettings, workingFolder });
    expect(code, stderr).toBe(0);
    writeFileSync(join(workingFolder, printed), stdout);
  });
}

export async function readDemoOutput(): Promise<string> {
  return readFileSync(join(await shareDemo(), printed), "utf8");
}

export async function shareDemoData(): Promise<string> {
  return join(await shareDemo(), "data", "demo");
}
