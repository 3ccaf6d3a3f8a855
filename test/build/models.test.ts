import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type BuildOptions, buildMart } from "../../src/build/build-mart.ts";
import { runChecks } from "../../src/build/run-checks.ts";
import type { DuckDb, SqlParameter } from "../../src/engines/duckdb.ts";
import { reportStatement } from "../../src/report/options/report-statement.ts";
import type { ReportName } from "../../src/report/report-name.ts";
import { reports } from "../../src/report/reports.ts";
import { packageRoot } from "../../src/util/package-root.ts";
import { type CaseListing, type CaseZone, loadCaseListings, setZoneDays } from "../support/case-listings.ts";
import { insertCoreRows, markAllDirty, readCsvRows } from "../support/core-rows.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";
import { buildOptions } from "./build-options.ts";

const casesFolder = join(packageRoot, "test", "fixtures", "models");
const everyDay = { from: "2000-01-01", to: "2099-12-31" };
const cases = readdirSync(casesFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

it.each(cases.map(({ name }) => name))("%s", async (name) => {
  const folder = join(casesFolder, name);
  const warehouse = await openNewWarehouse();
  for (const [table, path] of csvFiles(join(folder, "core"))) {
    await insertCoreRows(warehouse, table, readCsvRows(path));
  }
  await markAllDirty(warehouse);
  const { zones, listings = [], ...settings } = readCase(folder);
  await loadCaseListings(warehouse, listings);
  if (zones) await setZoneDays(warehouse, zones);
  await buildMart(warehouse, { ...buildOptions, ...settings });

  const late = csvFiles(join(folder, "late"));
  if (late.length > 0) {
    await expectRows(warehouse, join(folder, "before"));
    for (const [table, path] of late) {
      const rows = readCsvRows(path);
      await insertCoreRows(warehouse, table, rows);
      if (table === "play") await markDirty(warehouse, rows);
    }
    await buildMart(warehouse, { ...buildOptions, ...settings, version: "v000002" });
  }
  await expectRows(warehouse, join(folder, "expected"));
  const failures = await runChecks(warehouse, { days: "all" });
  expect(failures.filter(({ severity, failingRows }) => severity === "error" && failingRows > 0)).toEqual([]);
  await expectReports(warehouse, join(folder, "reports"));
});

async function expectRows(warehouse: DuckDb, folder: string): Promise<void> {
  for (const [table, path] of csvFiles(folder)) {
    const rows = await readRows(warehouse, `mart.${table}`, headerOf(path));
    expect(sorted(rows), `mart.${table}`).toEqual(sorted(readCsvRows(path)));
  }
}

/** Each file is named by a report and the words of its `--by`, e.g. `compliance by campaign, zone.csv`. */
async function expectReports(warehouse: DuckDb, folder: string): Promise<void> {
  await warehouse.run("set search_path = 'mart'");
  for (const [name, path] of csvFiles(folder)) {
    const [report, words] = name.split(" by ");
    const by = words?.split(", ") ?? [];
    const [sql, parameters] = reportStatement(reports[report as ReportName].file, { by, period: everyDay });
    const rows = await readRows(warehouse, `(${sql}\n) as report`, headerOf(path), parameters);
    expect(sorted(rows), name).toEqual(sorted(readCsvRows(path)));
  }
}

/** The days of these plays, as a load would. */
async function markDirty(warehouse: DuckDb, plays: readonly Record<string, string | null>[]): Promise<void> {
  for (const { kind = null, played_at_local: local } of plays) {
    await warehouse.run("insert into core.dirty_day values (?, cast(? as date))", [
      kind,
      local?.slice(0, 10) ?? null,
    ]);
  }
}

interface Case extends Partial<BuildOptions> {
  zones?: CaseZone[];
  listings?: CaseListing[];
  /** How the expected rows were worked out. */
  why?: string[];
}

function readCase(folder: string): Case {
  const path = join(folder, "case.json");
  if (!existsSync(path)) return {};
  const { why: _reasons, ...given } = JSON.parse(readFileSync(path, "utf8"));
  return given;
}

function csvFiles(folder: string): [table: string, path: string][] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((file) => [file.slice(0, -".csv".length), join(folder, file)]);
}

function headerOf(csvPath: string): string[] {
  return readFileSync(csvPath, "utf8").split("\n")[0]?.trim().split(",") ?? [];
}

async function readRows(
  warehouse: DuckDb,
  from: string,
  columns: string[],
  parameters: readonly SqlParameter[] = [],
): Promise<Record<string, unknown>[]> {
  const list = columns.map((column) => `cast(${column} as varchar) as ${column}`).join(", ");
  return await warehouse.all(`select ${list} from ${from}`, parameters);
}

function sorted(rows: Record<string, unknown>[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
