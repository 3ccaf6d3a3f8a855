import { describe, expect, it } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import { type CheckResult, runChecks } from "../../src/build/run-checks.ts";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { setZoneDays } from "../support/case-listings.ts";
import { insertCoreRows } from "../support/core-rows.ts";
import { itEachSampled, itInSoak } from "../support/long-suite.ts";
import { openNewWarehouse, prepareRolledBack } from "../support/new-warehouse.ts";
import { buildOptions } from "./build-options.ts";
import { insertCase } from "./insert-case.ts";
import {
  expectMartRows,
  expectReportRows,
  isSelfContained,
  joinCases,
  listModelCases,
  type ModelCase,
  ownCampaigns,
  withOwnIds,
} from "./model-case.ts";

const cases = listModelCases();
const together = cases.filter(isSelfContained);

const alone = cases.filter((one) => !isSelfContained(one));

itEachSampled(alone, Math.ceil(alone.length / 4))("$name", expectAlone);

describe("together in one warehouse", () => {
  const own = together.map((one, index) => withOwnIds(one, index + 1));
  let failed: CheckResult[] | undefined;
  const open = prepareRolledBack(async (warehouse) => {
    await insertCase(warehouse, joinCases(own));
    await setZoneDays(
      warehouse,
      own.flatMap(({ zones = [] }) => zones),
    );
    await buildMart(warehouse, buildOptions);
    failed = await failedChecks(warehouse);
  });

  it.each(own.map((one, index) => ({ ...one, place: index + 1 })))("$name", async ({ expected, place }) => {
    await expectMartRows(await open(), expected, ownCampaigns(place));
    expect(failed).toEqual([]);
  });

  it("has more than 40 cases", () => {
    expect(together.length).toBeGreaterThan(40);
  });
});

itInSoak.each(together)("alone: $name", expectAlone);

async function expectAlone(one: ModelCase): Promise<void> {
  const { zones, settings, before, late, expected, reports } = one;
  const warehouse = await openNewWarehouse({ threads: 1 });
  await insertCase(warehouse, one);
  if (zones) await setZoneDays(warehouse, zones);
  await buildMart(warehouse, { ...buildOptions, ...settings });
  if (Object.keys(late).length > 0) {
    await expectMartRows(warehouse, before);
    for (const [table, { rows }] of Object.entries(late)) {
      await insertCoreRows(warehouse, table, rows);
      if (table === "play") await markDirty(warehouse, rows);
    }
    await buildMart(warehouse, { ...buildOptions, ...settings, version: "v000002" });
  }
  await expectMartRows(warehouse, expected);
  expect(await failedChecks(warehouse)).toEqual([]);
  await expectReportRows(warehouse, reports);
}

async function failedChecks(warehouse: DuckDb): Promise<CheckResult[]> {
  const results = await runChecks(warehouse, { days: "all" });
  return results.filter(({ severity, failingRows }) => severity === "error" && failingRows > 0);
}

/** Marks the days of these plays, as a load does. */
async function markDirty(warehouse: DuckDb, plays: readonly Record<string, string | null>[]): Promise<void> {
  for (const { kind = null, played_at_local: local } of plays) {
    await warehouse.run("insert into core.dirty_day values (?, cast(? as date))", [
      kind,
      local?.slice(0, 10) ?? null,
    ]);
  }
}
