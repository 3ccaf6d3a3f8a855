import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fewThreads, isSoak } from "../support/long-suite.ts";
import { runVenue, startVenue } from "../support/run-venue.ts";
import { readDemoOutput, shareDemo } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it("the demo prints commands that work in the current folder, at the demo's time", async () => {
  const lines = (await readDemoOutput()).trimEnd().split("\n").slice(-5);
  expect(lines[0]).toMatch(
    /^Everything is in \S+demo: published\/current for BI tools, reports\/ for people, proof\.html for an advertiser\.$/,
  );
  expect(lines[2]).toMatch(/^ {2}export VENUE_DATA_DIR=\S+demo VENUE_NOW=2026-11-21T12:00:00Z$/);
  expect(lines[3]).toMatch(/^ {2}node \S+ serve$/);
  expect(lines[4]).toMatch(/^For `venue` above, write: node \S+$/);
});

it("the demo shows the same plays, campaigns and uptime at any time and with any settings", async () => {
  const folder = await shareDemo();
  const outputs = [await readDemoOutput()];
  if (isSoak) {
    const again = { environment: fewThreads, workingFolder: createTempFolder() };
    outputs.push((await startVenue(["demo"], again).finished).stdout);
  }
  const [first = "", ...others] = outputs.map((stdout) => {
    // The load id and version differ each time; the three reports of figures do not.
    return stdout.slice(stdout.indexOf("Plays by"), stdout.indexOf("Quality")).replaceAll(/v\d{6}/g, "");
  });
  for (const other of others) expect(other).toBe(first);
  expect(first).toContain("Compliance by campaign");
  expect(first).toContain("Uptime by zone");
  const latest = join(folder, "data", "demo", "reports", "latest");
  expect(readFileSync(join(latest, "index.html"), "utf8")).toContain('<a href="plays-by-region.html">');
  expect(readFileSync(join(latest, "plays-by-region.csv"), "utf8")).toMatch(
    /^region,plays,.*\r\nEurope,\d+,.*\r\nIndia,\d+,/,
  );
  const booked = readFileSync(join(latest, "delivery.csv"), "utf8").trimEnd().split("\r\n");
  expect(booked.map((line) => line.split(",")[3])).toEqual([
    "campaign_name",
    ...["Autumn Menu", "Lunch Deals", "Late Night", "Gift Cards"],
  ]);

  const verified = await runVenue(["proof", "verify", "data/demo/proof.html"], {
    workingFolder: folder,
    environment: { VENUE_DATA_DIR: join(folder, "data", "demo") },
  });
  expect(verified).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("\nEqual: all "),
  });

  const outages = await runVenue(["report", "outages", "--format", "json"], {
    workingFolder: folder,
    environment: { VENUE_DATA_DIR: join(folder, "data", "demo") },
  });
  expect(JSON.parse(outages.stdout)).not.toEqual([]);
});
