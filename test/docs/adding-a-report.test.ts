import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { insertCase } from "../build/insert-case.ts";
import { readModelCase } from "../build/model-case.ts";
import { setZoneDays } from "../support/case-listings.ts";
import { itInAll } from "../support/long-suite.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";
import { startVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { applyChange, parseDiff } from "./diff.ts";
import { blocksUnder } from "./pages.ts";

type Row = Record<string, unknown>;
const caseFolder = "test/fixtures/models/campaign-shared-assets";

function changesUnder(heading: string) {
  const blocks = blocksUnder("docs/adding-a-report.md", heading);
  return parseDiff(blocks.map(({ language, text }) => (language === "diff" ? text : "")).join(""));
}

const measure = changesUnder("A new measure");
const dimension = changesUnder("A new dimension");
const list = changesUnder("A new list");
const table = changesUnder("A new table");

/** Copies what the compiled program and the case need of the project, changed as the page describes. */
function copyProject(): string {
  const folder = createTempFolder();
  const shipped = ["package.json", "dist", "sql", "src", "tsconfig.json", "data/reference"];
  for (const part of [...shipped, caseFolder]) {
    cpSync(join(packageRoot, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(packageRoot, "node_modules"), join(folder, "node_modules"));
  for (const change of [...measure, ...dimension, ...list]) applyChange(folder, change);
  execFileSync(join(packageRoot, "node_modules", ".bin", "tsc"), [
    "--project",
    join(folder, "tsconfig.json"),
  ]);
  return folder;
}

itInAll(
  "docs/adding-a-report.md adds a measure, a dimension and a list with what it shows alone",
  async () => {
    expect(measure.map(({ path }) => path)).toEqual([
      "sql/models/mart/fact_campaign_zone_day.sql",
      "src/report/catalog/compliance.ts",
      `${caseFolder}/reports/compliance by campaign.csv`,
    ]);
    expect(dimension.map(({ path }) => path)).toEqual([
      "src/report/catalog/dimensions.ts",
      "src/report/catalog/play-rows.ts",
      `${caseFolder}/reports/plays by year.csv`,
    ]);
    expect(list.map(({ path }) => path)).toEqual([
      "src/report/catalog/campaigns.ts",
      "src/report/catalog/load-entry.ts",
    ]);
    const project = copyProject();
    const { reports, zones = [], ...rows } = readModelCase(join(project, caseFolder));
    const workingFolder = createTempFolder();
    mkdirSync(join(workingFolder, "data"));
    const warehouse = await openNewWarehouse({ folder: join(workingFolder, "data") });
    await insertCase(warehouse, rows);
    await setZoneDays(warehouse, zones);
    warehouse.close();

    const venue = async (...args: string[]) => {
      const environment = { VENUE_HOME: join(workingFolder, "home"), VENUE_THREADS: "1" };
      const program = join(project, "dist", "main.js");
      const { code, stdout, stderr } = await startVenue(args, { environment, workingFolder, program })
        .finished;
      expect(code, stderr).toBe(0);
      return stdout;
    };
    await venue("build");
    const ask = (report: string, word: string) =>
      ["report", report, "--by", word, "--from", "2026-11-02", "--to", "2026-11-03"] as const;
    for (const [report, word, added] of [
      ["compliance", "campaign", "shared_plays"],
      ["plays", "year", "year"],
    ] as const) {
      const { columns, rows: expected } = reports[`${report} by ${word}`] ?? { columns: [], rows: [] };
      expect(columns).toContain(added);
      const found: Row[] = JSON.parse(await venue(...ask(report, word), "--format", "json"));
      const shown = found.map((row) => Object.fromEntries(columns.map((name) => [name, String(row[name])])));
      expect(shown).toEqual(expected);
    }
    const campaigns: Row[] = JSON.parse(await venue("report", "campaigns", "--format", "json"));
    expect(campaigns.map(({ campaign_id: id }) => id)).toEqual([5, 6, 9]);
    expect(await venue("report", "campaigns", "--format", "html")).toContain("3 rows.");
    const page = await venue(...ask("compliance", "campaign"), "--format", "html");
    expect(page).toContain("Candidate plays that another scheduled campaign can claim, too.");
  },
);

it("docs/adding-a-report.md quotes the files of a real table", () => {
  expect(table.map(({ path }) => path)).toEqual(["sql/models/mart/fact_clock_ahead.sql"]);
  for (const { path, hunks } of table) {
    const held = readFileSync(join(packageRoot, path), "utf8");
    for (const { after } of hunks) expect(held).toContain(after);
  }
});
