import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { DuckDb } from "../../src/engines/duckdb.ts";
import { listModels } from "../../src/mart/model.ts";
import { publishCore, SourceNameError } from "../../src/publish/publish-core.ts";
import { silentLogger as logger } from "../../src/util/logger.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { PublishedWarehouse, song } from "./published-warehouse.ts";

let published: PublishedWarehouse;
let lake: DuckDb;
let to: string;
beforeEach(async () => {
  published = await PublishedWarehouse.open();
  await published.addPlays([
    song("2026-09-30 10:00:00"),
    song("2026-10-05 10:00:00", 2),
    song("2026-10-06 10:00:00"),
  ]);
  lake = await DuckDb.open();
  onTestFinished(() => lake.close());
  to = join(createTempFolder(), "lake");
});

it("writes what models read, plays by month, under the source's name", async () => {
  await publishCore(published.warehouse, { to, source: "east-1", logger });
  await publishCore(published.warehouse, { to, source: "west", logger });
  expect(readdirSync(join(to, "core", "play"))).toEqual(["source=east-1", "source=west"]);
  expect(readdirSync(join(to, "core", "play", "source=west"))).toEqual(["month=2026-09", "month=2026-10"]);
  expect(
    await lake.all(
      `select source, month, count(*) as plays, max(typeof(played_at)) as instant, max(typeof(played_at_local)) as local
      from read_parquet('${to}/core/play/**/*.parquet', hive_partitioning = true) group by all order by all limit 2`,
    ),
  ).toEqual([
    { source: "east-1", month: "2026-09", plays: 1, instant: "TIMESTAMP WITH TIME ZONE", local: "TIMESTAMP" },
    { source: "east-1", month: "2026-10", plays: 2, instant: "TIMESTAMP WITH TIME ZONE", local: "TIMESTAMP" },
  ]);
  const read = new Set(listModels().flatMap((model) => model.reads));
  const written = readdirSync(join(to, "core")).map((table) => `core.${table}`);
  expect(written.filter((table) => !read.has(table))).toEqual([]);
  expect([...read].filter((table) => table.startsWith("core.") && !written.includes(table)).sort()).toEqual([
    "core.build_setting",
    "core.restatement",
    "core.version",
  ]);
});

it("replaces what the same source wrote before, emptied months too", async () => {
  await publishCore(published.warehouse, { to, source: "west", logger });
  await published.warehouse.run("delete from core.play where date < '2026-10-06'");
  const { rows } = await publishCore(published.warehouse, { to, source: "west", logger });
  expect(rows).toBeGreaterThan(0);
  expect(await lake.all(`select date from read_parquet('${to}/core/play/**/*.parquet')`)).toEqual([
    { date: "2026-10-06" },
  ]);
});

it.each(["", "a b", "../x", "a/b", "x=y"])("refuses the name %j", async (source) => {
  await expect(publishCore(published.warehouse, { to, source, logger })).rejects.toThrow(SourceNameError);
  expect(existsSync(to)).toBe(false);
});
