import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it("receives what stderr does, and is renamed when it is full, up to five times", async () => {
  const workingFolder = createTempFolder();
  const environment = { VENUE_LOG_FILE: "logs/venue.log", VENUE_HOME: workingFolder };
  const folder = join(workingFolder, "logs");
  const fail = () => runVenue(["sync"], { environment, workingFolder });
  const first = await fail();
  expect(first.code).toBe(2);
  expect(readFileSync(join(folder, "venue.log"), "utf8")).toBe(first.stderr);
  const full = "x".repeat(10_000_000);
  for (let count = 0; count < 7; count++) {
    writeFileSync(join(folder, "venue.log"), full.replace("x", String(count)));
    await fail();
  }
  expect(readFileSync(join(folder, "venue.log"), "utf8")).toBe(first.stderr);
  const older = readdirSync(folder).filter((name) => name !== "venue.log");
  expect(older.map((name) => [name, readFileSync(join(folder, name), "utf8")[0]])).toEqual([
    ["venue.log.1", "6"],
    ["venue.log.2", "5"],
    ["venue.log.3", "4"],
    ["venue.log.4", "3"],
    ["venue.log.5", "2"],
  ]);
});

it("that can't be written is reported, and the command continues", async () => {
  const workingFolder = createTempFolder();
  mkdirSync(join(workingFolder, "venue.log"));
  const environment = { VENUE_LOG_FILE: "venue.log", VENUE_HOME: workingFolder };
  const { code, stderr } = await runVenue(["runs"], { environment, workingFolder });
  expect([code, stderr]).toEqual([0, ""]);
  const failed = await runVenue(["sync"], { environment, workingFolder });
  expect(failed.code).toBe(2);
  expect(failed.stderr).toContain("warning: VENUE_LOG_FILE can't be written: ");
  expect(failed.stderr).toContain("venue: There are no credentials");
});
