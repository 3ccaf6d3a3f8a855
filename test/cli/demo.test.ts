import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fewThreads, isWhole } from "../support/long-suite.ts";
import { runVenue, startVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it("the demo shows plays, campaigns and uptime, with the same figures whenever it is run", async () => {
  const folder = createTempFolder();
  const setup = { environment: fewThreads, workingFolder: folder };
  const runs = [await runVenue(["demo"], setup)];
  if (isWhole) runs.push(await startVenue(["demo"], setup).finished);
  const [first = "", ...others] = runs.map(({ code, stdout, stderr }) => {
    expect(code, stderr).toBe(0);
    // What was loaded, and the version, is another one each time; the three reports of figures are not.
    return stdout.slice(stdout.indexOf("Plays by"), stdout.indexOf("Quality")).replaceAll(/v\d{6}/g, "");
  });
  for (const other of others) expect(other).toBe(first);
  expect(first).toContain("Compliance by campaign");
  expect(first).toContain("Uptime by zone");
  expect(existsSync(join(folder, "data", "demo", "reports", "latest", "index.html"))).toBe(true);

  const outages = await runVenue(["report", "outages", "--format", "json"], {
    ...setup,
    environment: { VENUE_DATA_DIR: join(folder, "data", "demo") },
  });
  expect(JSON.parse(outages.stdout)).not.toEqual([]);
});
