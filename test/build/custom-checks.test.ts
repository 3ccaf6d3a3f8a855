import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import { runCustomChecks } from "../../src/build/custom-checks.ts";
import { type CheckResult, isError } from "../../src/build/run-checks.ts";
import { insertCoreRows, markAllDirty } from "../support/core-rows.ts";
import { openNewWarehouse, prepareCopies } from "../support/new-warehouse.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { buildOptions } from "./build-options.ts";

const openBuilt = prepareCopies(async (warehouse) => {
  await insertCoreRows(
    warehouse,
    "play",
    [1, 2, 3].map((zone) => ({
      kind: "music",
      zone_id: zone,
      item_id: 7,
      played_at: "2026-11-20 10:00:00",
      duration_secs: 100 * zone,
      artist_id: 3,
    })),
  );
  await markAllDirty(warehouse);
  await buildMart(warehouse, buildOptions);
});

async function check(files: Record<string, string>, schema?: string): Promise<CheckResult[]> {
  const folder = createTempFolder();
  mkdirSync(join(folder, "checks"));
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, "checks", `${name}.sql`), sql);
  const warehouse = await openBuilt();
  const reader = await warehouse.share();
  try {
    if (schema === undefined) await reader.run("set schema = 'mart'");
    return await runCustomChecks(reader, {
      folder,
      seconds: 1,
      memoryLimit: "600MB",
      parser: reader,
      ...(schema !== undefined && { schema }),
    });
  } finally {
    reader.close();
  }
}

const long = `-- No play is longer than 150 s.
-- Severity: error

select zone_id, duration_secs from fact_play where duration_secs > 150 order by zone_id;
`;

it.each([undefined, "mart"])("returns the failing rows of each check, in schema %s", async (schema) => {
  const [found] = await check({ long }, schema);
  expect(found).toMatchObject({
    name: "long",
    file: expect.stringMatching(/checks\/long\.sql$/),
    severity: "error",
    description: "No play is longer than 150 s.",
    failingRows: 2,
    sample: [
      { zone_id: 2, duration_secs: 200 },
      { zone_id: 3, duration_secs: 300 },
    ],
  });
  expect(found && isError(found)).toBe(true);
});

it.each([
  ["select zone_id, duration from fact_play", ":4:17: Referenced column"],
  ["select * from core.play", "the table core.play is not published"],
  ["select * from core_play", "the table core_play is not published"],
  ["select * from read_text('/etc/hostname')", "read_text() may access unpublished data"],
  ["drop table fact_play", "Write exactly one select"],
  [
    "with recursive r as (select 1 as n union all select n + 1 from r) select n from r where n < 0",
    "did not end within 1 second",
  ],
])("%j does not run, which causes a warning and does not stop other checks", async (sql, problem) => {
  const results = await check({ a: `-- Something holds.\n-- Severity: error\n\n${sql}`, long });
  expect(results).toMatchObject([
    { severity: "warn", failingRows: 0, problem: expect.stringContaining(problem) },
    { name: "long", failingRows: 2 },
  ]);
  expect(results.map(isError)).toEqual([false, true]);
});

it("warns of a check without a header, and of an invalid name", async () => {
  const results = await check({ "No Name": long, bare: "select 1 as a" });
  expect(results.map(({ problem }) => problem)).toEqual([
    expect.stringContaining("Rename it"),
    expect.stringContaining('the header must state what holds, then "Severity: error" or "warn"'),
  ]);
});

it("reports the position of a mistake on a cluster, too", async () => {
  const [found] = await check({ long: long.replace("where", "were a") }, "mart");
  expect(found?.problem).toMatch(/checks\/long\.sql:4:/);
});

it("runs nothing without a folder", async () => {
  const parser = await openNewWarehouse();
  const options = { folder: createTempFolder(), seconds: 1, memoryLimit: "600MB", parser };
  expect(await runCustomChecks(parser, options)).toEqual([]);
});
