import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type BuildOptions, buildMart } from "../../src/build/build-mart.ts";
import { runChecks } from "../../src/build/run-checks.ts";
import type { DuckDb } from "../../src/engines/duckdb.ts";
import { openWarehouse } from "../../src/engines/warehouse.ts";
import { packageRoot } from "../../src/util/package-root.ts";
import { insertCoreRows, markAllDirty, readCsvRows } from "../support/core-rows.ts";
import { buildOptions } from "./build-options.ts";

const casesFolder = join(packageRoot, "test", "fixtures", "models");
const cases = readdirSync(casesFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

it.each(cases.map(({ name }) => name))("%s", async (name) => {
  const folder = join(casesFolder, name);
  const warehouse = await openWarehouse({ path: ":memory:" });
  onTestFinished(() => warehouse.close());
  for (const [table, path] of csvFiles(join(folder, "core"))) {
    await insertCoreRows(warehouse, table, readCsvRows(path));
  }
  await markAllDirty(warehouse);
  const settings: Partial<BuildOptions> = existsSync(join(folder, "case.json"))
    ? JSON.parse(readFileSync(join(folder, "case.json"), "utf8"))
    : {};
  await buildMart(warehouse, { ...buildOptions, ...settings });

  for (const [table, path] of csvFiles(join(folder, "expected"))) {
    const header = readFileSync(path, "utf8").split("\n")[0]?.trim().split(",") ?? [];
    const rows = await readMartRows(warehouse, table, header);
    expect(sorted(rows), `mart.${table}`).toEqual(sorted(readCsvRows(path)));
  }
  const failures = await runChecks(warehouse, { days: "all" });
  expect(failures.filter(({ severity, failingRows }) => severity === "error" && failingRows > 0)).toEqual([]);
});

function csvFiles(folder: string): [table: string, path: string][] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((file) => [file.slice(0, -".csv".length), join(folder, file)]);
}

async function readMartRows(
  warehouse: DuckDb,
  table: string,
  columns: string[],
): Promise<Record<string, unknown>[]> {
  const list = columns.map((column) => `cast(${column} as varchar) as ${column}`).join(", ");
  return await warehouse.all(`select ${list} from mart.${table}`);
}

function sorted(rows: Record<string, unknown>[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
