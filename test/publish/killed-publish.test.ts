import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import { publishMart } from "../../src/publish/publish-mart.ts";
import { prepareNextVersion } from "../../src/publish/versions/next-version.ts";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { silentLogger as logger } from "../../src/util/logger.ts";
import { openWarehouse } from "../../src/workspace/warehouse.ts";
import { buildOptions } from "../build/build-options.ts";
import { itInAll, share } from "../support/long-suite.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { PublishedWarehouse, song } from "./published-warehouse.ts";

itInAll("after a kill at any instant, the next publish is correct", async () => {
  const folder = createTempFolder();
  const publishedFolder = join(folder, "published");
  for (const round of share([3], [3], [0, 1, 2, 3, 4])) {
    await publishUntilKilled(folder, 20 * round, 90 * round);

    const warehouse = await openWarehouse({ path: join(folder, "warehouse.duckdb"), threads: 1 });
    onTestFinished(() => warehouse.close());
    const version = await prepareNextVersion(publishedFolder, warehouse);
    await buildMart(warehouse, { ...buildOptions, version });
    const { manifest } = await publishMart(warehouse, { publishedFolder, version, now: new Date(), logger });

    const files = `${publishedFolder}/current/fact_play/**/*.parquet`;
    const { missing } = await warehouse.get<{ missing: number }>(
      `select count(*) as missing from (select date from core.play) as p
      full join (select date from read_parquet('${files}')) as f on f.date = p.date
      where p.date is null or f.date is null`,
    );
    expect(missing).toBe(0);
    expect(
      await warehouse.all("select * from core.published_day except select kind, date, 1, 100 from core.play"),
    ).toEqual([]);
    expect(manifest.tables.fact_play?.rows).toBe((await warehouse.all("select date from core.play")).length);
    // Each day is added once, after all others: nothing published is ever restated.
    expect(await warehouse.all("select * from core.restatement")).toEqual([]);
    expect(
      readdirSync(publishedFolder).filter((name) => !/^(v\d+|current|catalog\.duckdb)$/.test(name)),
    ).toEqual([]);
    expect(readlinkSync(join(publishedFolder, "current"))).toBe(version);
    warehouse.close();
  }
});

/** Kills the child this many milliseconds after its first publish of this round. */
async function publishUntilKilled(folder: string, firstDay: number, delayMs: number): Promise<void> {
  const script = join(packageRoot, "test", "publish", "publish-again.child.mjs");
  const child = spawn(process.execPath, [script, folder, String(firstDay)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await Promise.race([once(child.stdout, "data"), once(child, "close")]);
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  child.kill("SIGKILL");
  await once(child, "close");
}

itInAll("killed before readers saw the version: it is discarded", async () => {
  const published = await PublishedWarehouse.open();
  await published.addPlays([song("2026-10-05 10:00:00")]);
  await published.addExport("2026-10-07 04:00:00");
  await published.buildAndPublish();
  await published.addPlays([song("2026-10-05 11:00:00")]);
  const version = await published.build();
  mkdirSync(join(published.folder, version));
  mkdirSync(join(published.folder, ".unfinished-v000003"));
  const { manifest } = await published.buildAndPublish();
  expect(manifest.version).toBe(version);
  expect(readdirSync(published.folder).sort()).toEqual(["catalog.duckdb", "current", "v000001", "v000002"]);
  expect(await restatements(published)).toEqual([{ version, plays_before: 1, plays_after: 2 }]);
});

itInAll("killed after readers saw the version: it counts as published", async () => {
  const published = await PublishedWarehouse.open();
  await published.addPlays([song("2026-10-05 10:00:00")]);
  await published.addExport("2026-10-07 04:00:00");
  await published.buildAndPublish();
  await published.addPlays([song("2026-10-05 11:00:00")]);
  // Removes the warehouse's record of the second publish.
  await published.warehouse.run("create table lost as select * from core.published_day");
  await published.buildAndPublish();
  await published.warehouse.run("update core.version set published_at = null where version = 'v000002'");
  await published.warehouse.run(
    "delete from core.published_day; insert into core.published_day from lost; drop table lost",
  );
  await published.warehouse.run("insert into core.unpublished_day values ('music', '2026-10-05')");
  await published.addPlays([song("2026-10-05 12:00:00")]);
  const { linkedFiles, version } = await published.buildAndPublish();
  expect([version, linkedFiles]).toEqual(["v000003", 0]);
  expect(await restatements(published)).toEqual([
    { version: "v000002", plays_before: 1, plays_after: 2 },
    { version: "v000003", plays_before: 2, plays_after: 3 },
  ]);
});

async function restatements(published: PublishedWarehouse): Promise<unknown[]> {
  return await published.read(
    "select version, plays_before, plays_after from '{}/fact_restatement.parquet' order by version",
  );
}
