import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { fewThreads } from "./long-suite.ts";
import { runVenue } from "./run-venue.ts";
import { shareFolder } from "./shared-folder.ts";

const printed = "printed.txt";

/** "Now" of the demo's world. */
export const demoNow = new Date("2026-11-21T12:00:00Z");

/** What somebody has set who works on a cluster. */
const ownSettings = {
  ...fewThreads,
  VENUE_ENGINE: "trino",
  VENUE_DOWN_STATUS: "lost",
  VENUE_SETTLE_DAYS: "30",
  VENUE_SLOT_MINUTES: "1",
};

/** What `venue demo` left behind: its working folder. Run once for all who read it. */
export async function shareDemo(): Promise<string> {
  return await shareFolder("demo", async (workingFolder) => {
    const { code, stdout, stderr } = await runVenue(["demo"], { environment: ownSettings, workingFolder });
    expect(code, stderr).toBe(0);
    writeFileSync(join(workingFolder, printed), stdout);
  });
}

/** What it printed. */
export async function readDemoOutput(): Promise<string> {
  return readFileSync(join(await shareDemo(), printed), "utf8");
}

/** The data folder of the demo. */
export async function shareDemoData(): Promise<string> {
  return join(await shareDemo(), "data", "demo");
}
