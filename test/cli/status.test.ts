import { linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildOverview } from "../../src/report/overview/overview.ts";
import { openPublished } from "../../src/report/published/open-published.ts";
import { itInAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";
import { demoNow, shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";

async function statusAt(now: Date, ...words: string[]) {
  const environment = { VENUE_DATA_DIR: await shareDemoData(), VENUE_NOW: now.toISOString() };
  return await runVenue(["status", ...words], { environment, workingFolder: createTempFolder() });
}

it("shows ages, runs, and what is down, missed, rejected and used", async () => {
  const { code, stdout } = await statusAt(new Date(demoNow.getTime() + 3 * 3_600_000));
  expect(code).toBe(0);
  const stable = stdout
    .replace(/\d+ \w+ \d+, \d\d:\d\d UTC, after \d+ (?:s|min)/, "MOMENT, after N s")
    .replace(/[\d.]+.[kMG]?B\b/g, "SIZE");
  expect(stable).toMatchSnapshot();
  const { stdout: json } = await statusAt(demoNow, "--json");
  expect(JSON.parse(json)).toMatchObject({ is_stale: false, version: "v000001", devices: 12 });
});

it.each([
  [29, [], 0],
  [31, [], 1],
  [31, ["--max-age", "2d"], 0],
  [3, ["--max-age", "90m"], 1],
  [3, ["--max-age", "soon"], 2],
])("exits for data %d hours old %j with %d", async (hours, words, expected) => {
  const { code } = await statusAt(new Date(demoNow.getTime() + hours * 3_600_000), ...words);
  expect(code).toBe(expected);
});

it("counts files that versions share once, in status and in metrics", async () => {
  const workingFolder = createTempFolder();
  const published = (version: string) => join(workingFolder, "data", "published", version, "dim_zone");
  for (const version of ["v000001", "v000002"]) mkdirSync(published(version), { recursive: true });
  writeFileSync(join(published("v000001"), "shared.parquet"), "x".repeat(5_000));
  linkSync(join(published("v000001"), "shared.parquet"), join(published("v000002"), "shared.parquet"));
  writeFileSync(join(published("v000002"), "own.parquet"), "x".repeat(300));
  const options = { environment: { VENUE_DATA_DIR: join(workingFolder, "data") }, workingFolder };
  const { stdout } = await runVenue(["status", "--json"], options);
  expect(JSON.parse(stdout).bytes).toMatchObject({ published: 5_300 });
  expect((await runVenue(["metrics"], options)).stdout).toContain('venue_size_bytes{part="published"} 5300');
});

it("is stale without data and reports what failed; metrics still work", async () => {
  const setup = await setUp({ days: 1, zones: 1, playScale: 0.1 });
  expect((await runVenue(["status"], setup)).code).toBe(2);
  mkdirSync(setup.dataFolder);
  const empty = await runVenue(["status"], setup);
  expect([empty.code, empty.stderr]).toEqual([1, ""]);
  expect(empty.stdout).toContain("nothing is published yet – stale");
  expect(empty.stdout).toMatch(/^Disk: +0\sB used, .* free$/m);
  const environment = { ...setup.environment, VENUE_BASE_URL: "http://127.0.0.1:9/v5" };
  expect((await runVenue(["run"], { ...setup, environment })).code).toBe(3);
  const failed = await runVenue(["status"], setup);
  expect(failed.stdout).toMatch(/^ {2}run .* failed, exit code 3: Failed: /m);
  const file = join(setup.workingFolder, "venue.prom");
  writeFileSync(file, "old");
  const { stdout } = await runVenue(["metrics"], setup);
  expect(stdout).toMatch(/^venue_run_exit_code\{command="run"\} 3$/m);
  expect(stdout).toMatch(/# EOF\n$/);
  const written = await runVenue(["metrics", "--out", file], setup);
  expect([written.code, readFileSync(file, "utf8")]).toEqual([0, expect.stringMatching(/# EOF\n$/)]);
});

it("shows the default limit in the format of --max-age", async () => {
  const { stdout } = await runVenue(["status", "--help"], {
    environment: {},
    workingFolder: createTempFolder(),
  });
  expect(stdout).toContain("(default: 30h)");
});

itInAll("VENUE_FRESHNESS names old sources in status, checks and on the overview", async () => {
  const setup = await setUp({ days: 1, zones: 1, playScale: 0.1 });
  expect((await runVenue(["sync", "devices", "history", "status"], setup)).code).toBe(0);
  const later = new Date(setup.emulator.now().getTime() + 4 * 3_600_000).toISOString();
  const environment = {
    ...setup.environment,
    VENUE_NOW: later,
    VENUE_FRESHNESS: "devices=3h,history=5h,status=1d",
  };
  const { stdout: built } = await runVenue(["build", "--json"], { ...setup, environment });
  const { stdout } = await runVenue(["status"], { ...setup, environment });
  expect(stdout.match(/.*VENUE_FRESHNESS.*/g)).toEqual([
    "  devices is 4.0 h old; VENUE_FRESHNESS allows 3.0 h",
  ]);
  const { checks } = JSON.parse(built);
  // One row per group.
  expect(checks).toContainEqual(expect.objectContaining({ name: "sources_are_fresh", failing_rows: 2 }));
  const mart = await openPublished(join(setup.dataFolder, "published"));
  const { assessments } = await buildOverview(mart, new Date(later), { devices: 3, history: 5 });
  mart.close();
  expect(assessments.at(-1)?.answer.replaceAll("\u00a0", " ")).toContain(
    "The last collection of devices was 4 h 0 min ago; the limit is 3 h 0 min.",
  );
  const wrong = await runVenue(["status", "--freshness", "devices=3"], setup);
  expect([wrong.code, wrong.stderr]).toMatchSnapshot();
});
