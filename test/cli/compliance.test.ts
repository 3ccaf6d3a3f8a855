import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { runVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it("reports compliance from the service's listings, explains a cell, and fails under a threshold", async () => {
  const setup = await setUp({ days: 12, zones: 3, playScale: 0.2 });
  for (const word of ["sync", "build"]) {
    const { code, stderr } = await runVenue([word], setup);
    expect(code, stderr).toBe(0);
  }
  const report = (...words: string[]) => runVenue(["report", "compliance", ...words], setup);

  const cells = await report("--by", "campaign,zone,date", "--format", "json");
  const rows: Record<string, string | number>[] = JSON.parse(cells.stdout);
  expect(rows.length).toBeGreaterThan(20);
  const compliant = rows.find((row) => row.compliant_days === 1);
  const { kind, campaign_id, zone_id, date } = compliant ?? {};

  const words = ["--kind", kind, "--campaign", campaign_id, "--zone", zone_id, "--date", date].map(String);
  const explained = await report("--explain", ...words, "--format", "csv");
  expect(explained.code, explained.stderr).toBe(0);
  expect(explained.stdout).toMatch(/^states,compliant,this one counts,a candidate play/m);

  const missed = await report("--by", "campaign", "--only", "missed", "--format", "json");
  for (const { missed_days } of JSON.parse(missed.stdout)) expect(missed_days).toBeGreaterThan(0);

  expect((await report("--fail-under", "0")).code).toBe(0);
  const failing = await report("--by", "zone,date", "--fail-under", "1");
  expect(failing.code).toBe(1);
  expect(failing.stderr).toMatch(/\d+ of \d+ rows have compliance under 1, or none/);

  const nothing = await report("--by", "campaign", "--campaign", "99999", "--fail-under", "0");
  expect(nothing.code).toBe(1);
  expect(nothing.stderr).toContain("There is no row whose compliance could reach 0.");

  expect(JSON.parse((await report("--by", "campaign", "--json")).stdout)).toEqual(
    JSON.parse((await report("--by", "campaign", "--format", "json")).stdout),
  );

  for (const wrong of [["--explain"], ["--date", "2026-10-01"], ["--only", "late"], ["--fail-under", "95"]]) {
    expect((await report(...wrong)).code, wrong.join(" ")).toBe(2);
  }
  const misplaced = await runVenue(["report", "plays", "--explain", ...words], setup);
  expect(misplaced.code).toBe(2);
});

it("asks for a build where the warehouse is of an older version, and explains the cell then", async () => {
  const workingFolder = createTempFolder();
  const dataFolder = join(workingFolder, "data");
  const path = join(dataFolder, "warehouse.duckdb");
  mkdirSync(dataFolder);
  const old = new URL("../fixtures/old-warehouse/warehouse.duckdb.gz", import.meta.url);
  writeFileSync(path, gunzipSync(readFileSync(old)));
  const environment = { VENUE_DATA_DIR: dataFolder, VENUE_HOME: join(workingFolder, "home") };
  const venue = (...args: string[]) => runVenue(args, { environment, workingFolder });
  const words = ["report", "compliance", "--explain", "--campaign", "1", "--zone", "1"];
  const explain = () => venue(...words, "--date", "2026-10-03");
  const refused = {
    code: 2,
    stdout: "",
    stderr: `venue: ${path} was built by an older version of venue-analytics, so its cells can't be explained. Run \`venue build\` once, and ask again.\n`,
  };
  expect(await explain()).toMatchObject(refused);

  // Its schema is brought up to date by any run that writes to it; the mart is not.
  writeFileSync(join(workingFolder, "none.jsonl"), "");
  expect(await venue("load", "none.jsonl", "--kind", "music")).toMatchObject({ code: 0 });
  expect(await explain()).toMatchObject(refused);

  expect(await venue("build")).toMatchObject({ code: 0 });
  expect(await explain()).toMatchObject({ code: 0, stdout: expect.stringContaining("campaign 1 · zone 1") });
});
