import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type BuildOptions, buildMart } from "../../src/build/build-mart.ts";
import { runChecks } from "../../src/build/run-checks.ts";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { readCsvRows } from "../support/core-rows.ts";
import { share } from "../support/long-suite.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { buildOptions } from "./build-options.ts";
import { type DeviceCaseSettings, listLoads, loadCase } from "./load-device-case.ts";

const casesFolder = join(packageRoot, "test", "fixtures", "devices");
const cases = readdirSync(casesFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** `make test` builds a sample of cases, some of them after each load; `make soak` builds all. */
const isBuilt = (index: number) => index % share(12, 1, 1) === 0;
const isBuiltAfterEach = (index: number) => index % share(cases.length, 12, 1) === 0;

describe.each(cases.map(({ name }, index) => ({ name, index })))("$name", ({ name, index }) => {
  const folder = join(casesFolder, name);
  const settingsPath = join(folder, "case.json");
  const settings: DeviceCaseSettings & Partial<BuildOptions> = existsSync(settingsPath)
    ? JSON.parse(readFileSync(settingsPath, "utf8"))
    : {};

  it.runIf(isBuilt(index))("loaded in order, built once", async () => {
    const warehouse = await openNewWarehouse({ threads: 1 });
    await loadCase(warehouse, folder, createTempFolder(), settings);
    await buildMart(warehouse, { ...buildOptions, ...settings });
    await expectCase(warehouse, folder);
  });

  it.runIf(isBuiltAfterEach(index))("loaded in reverse order, built after each load", async () => {
    const warehouse = await openNewWarehouse({ threads: 1 });
    for (const load of listLoads(folder, createTempFolder(), settings).reverse()) {
      await load(warehouse);
      await buildMart(warehouse, { ...buildOptions, ...settings });
    }
    await expectCase(warehouse, folder);
  });
});

async function expectCase(warehouse: DuckDb, folder: string): Promise<void> {
  for (const file of readdirSync(join(folder, "expected"))) {
    const path = join(folder, "expected", file);
    const table = file.slice(0, -".csv".length);
    const columns = readFileSync(path, "utf8").split("\n")[0]?.trim().split(",") ?? [];
    const list = columns.map((column) => `cast(${column} as varchar) as ${column}`).join(", ");
    const rows = await warehouse.all(`select ${list} from mart.${table}`);
    expect(sorted(rows), `mart.${table}`).toEqual(sorted(readCsvRows(path)));
  }
  const failures = await runChecks(warehouse, { days: "all" });
  expect(failures.filter(({ severity, failingRows }) => severity === "error" && failingRows > 0)).toEqual([]);
}

function sorted(rows: Record<string, unknown>[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
