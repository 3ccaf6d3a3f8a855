import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import type { Manifest } from "../../src/mart/manifest.ts";
import { formatNames } from "../../src/report/formats.ts";
import { itInAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it("reports compliance from the service's listings, explains a cell, and fails below a threshold", async () => {
  const setup = await setUp({ days: 8, zones: 2, playScale: 0.2 });
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
  expect(explained.stdout).toMatch(
    /^states,compliant,"yes, this applies",means: at least one candidate play/m,
  );

  const missed = await report("--by", "campaign", "--only", "missed", "--format", "json");
  for (const { missed_days } of JSON.parse(missed.stdout)) expect(missed_days).toBeGreaterThan(0);

  expect((await report("--fail-under", "0")).code).toBe(0);
  const failing = await report("--by", "zone,date", "--fail-under", "1");
  expect(failing.code).toBe(1);
  expect(failing.stderr).toMatch(/\d+ of \d+ rows are below 1 or have no compliance/);
  const one = await report("--fail-under", "1");
  expect(one.stderr).toMatch("warning: 1 of 1 row is below 1 or has no compliance.");
  for (const format of formatNames) {
    const { code, stderr } = await report("--by", "zone,date", "--fail-under", "1", "--format", format);
    expect([format, code, stderr]).toEqual([format, 1, failing.stderr]);
  }

  const before = ["--from", "2020-01-01", "--to", "2020-01-02"];
  const nothing = await report("--by", "campaign", ...before, "--fail-under", "0");
  expect(nothing.code).toBe(1);
  expect(nothing.stderr).toContain("No row has a compliance to compare with 0.");

  // No compliance below the threshold, so no row is shown.
  const ran = ["--zone", String(zone_id), "--from", String(date), "--to", String(date)];
  const ofCampaign = ["--kind", String(kind), "--campaign", String(campaign_id), ...ran];
  for (const state of ["missed", "closed", "compliant"]) {
    const result = await report("--by", "campaign", ...ofCampaign, "--only", state, "--fail-under", "1");
    expect([state, result.code, result.stderr.includes("no row")]).toEqual([state, 0, false]);
  }
  expect((await report("--by", "campaign", ...before, "--only", "missed", "--fail-under", "0")).code).toBe(1);

  expect(JSON.parse((await report("--by", "campaign", "--json")).stdout)).toEqual(
    JSON.parse((await report("--by", "campaign", "--format", "json")).stdout),
  );

  for (const wrong of [["--explain"], ["--date", "2026-10-01"], ["--only", "late"], ["--fail-under", "95"]]) {
    expect((await report(...wrong)).code, wrong.join(" ")).toBe(2);
  }
  const misplaced = await runVenue(["report", "plays", "--explain", ...words], setup);
  expect(misplaced.code).toBe(2);
});

itInAll("explains a cell while another process has the warehouse open for writing", async () => {
  const setup = await setUp({ days: 4, zones: 2, playScale: 0.2 });
  for (const word of ["sync", "build"]) expect(await runVenue([word], setup)).toMatchObject({ code: 0 });
  const cells = await runVenue(["report", "compliance", "--by", "campaign,zone,date", "--json"], setup);
  const { kind, campaign_id, zone_id, date } = JSON.parse(cells.stdout)[0];
  const words = ["--kind", kind, "--campaign", campaign_id, "--zone", zone_id, "--date", date].map(String);

  const writer = await DuckDb.open({ path: join(setup.dataFolder, "warehouse.duckdb") });
  try {
    await writer.run("begin transaction; delete from core.listing_span");
    const explained = await runVenue(["report", "compliance", "--explain", ...words], setup);
    expect(explained).toMatchObject({ code: 0, stdout: expect.stringContaining("yes, this applies") });
  } finally {
    writer.close();
  }
});

itInAll("requires a build if the published version is outdated, and reports afterwards", async () => {
  const workingFolder = createTempFolder();
  const dataFolder = join(workingFolder, "data");
  mkdirSync(dataFolder);
  const old = new URL("../fixtures/old-warehouse/warehouse.duckdb.gz", import.meta.url);
  writeFileSync(join(dataFolder, "warehouse.duckdb"), gunzipSync(readFileSync(old)));
  const environment = { VENUE_DATA_DIR: dataFolder, VENUE_HOME: join(workingFolder, "home") };
  const venue = (...args: string[]) => runVenue(args, { environment, workingFolder });
  const words = ["report", "compliance", "--explain", "--campaign", "5", "--zone", "1"];
  const explain = () => venue(...words, "--date", "2026-10-03");
  const plays = () => venue("report", "plays", "--by", "zone");
  expect(await venue("build")).toMatchObject({ code: 0 });

  const newer = ["fact_listed_asset", "fact_listed_campaign", "fact_play_item_day", "fact_play_zone_day"];
  forget(join(dataFolder, "published", "current", "manifest.json"), newer);
  const refused = {
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      /^venue: The published data \(v\d+\) was built by an older version of venue-analytics: it lacks dim_campaign\.is_listed, fact_listed_asset, fact_listed_campaign and 2 more\. Run `venue build` once, and read the version that it publishes\.$/m,
    ),
  };
  expect(await explain()).toMatchObject(refused);
  expect(await plays()).toMatchObject(refused);
  expect((await venue("query", "select * from fact_listed_asset")).stderr).toMatch(/Table fact_l/);

  expect(await venue("build")).toMatchObject({ code: 0 });
  const explained = "2026-10-03 · zone 1 (Zone 1) · campaign signage 5 (Autumn)";
  expect(await explain()).toMatchObject({ code: 0, stdout: expect.stringContaining(explained) });
  expect(await plays()).toMatchObject({ code: 0 });
});

/** Removes these tables, and a column, from the manifest, as if never published. */
function forget(manifestFile: string, names: readonly string[]): void {
  const manifest: Manifest = JSON.parse(readFileSync(manifestFile, "utf8"));
  for (const name of names) delete manifest.tables[name];
  manifest.tables.dim_campaign?.columns.pop();
  writeFileSync(manifestFile, JSON.stringify(manifest));
}
