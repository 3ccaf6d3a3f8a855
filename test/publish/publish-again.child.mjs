// Adds a play, builds and publishes, repeatedly, until killed. Arguments: data folder, first day.
import { join } from "node:path";
import { buildMart } from "../../dist/build/build-mart.js";
import { publishMart } from "../../dist/publish/publish-mart.js";
import { prepareNextVersion } from "../../dist/publish/versions/next-version.js";
import { silentLogger as logger } from "../../dist/util/logger.js";
import { openWarehouse } from "../../dist/workspace/warehouse.js";

const [folder = "", firstDay = "0"] = process.argv.slice(2);
const publishedFolder = join(folder, "published");
const warehouse = await openWarehouse({ path: join(folder, "warehouse.duckdb"), threads: 1 });
for (let day = Number(firstDay); ; day += 1) {
  await warehouse.transaction(async () => {
    await warehouse.run(
      `insert into core.play by name
      select 'music' as kind, 1 as zone_id, 5 as item_id, played_at, played_at as played_at_local, 0 as utc_offset_minutes,
        0 as written_offset_minutes, played_at::date as date, 100 as duration_secs, 9 as artist_id, 1 as first_load_id,
        1 as last_load_id
      from (select timestamp '2026-01-01' + to_days(cast(? as integer)) as played_at)`,
      [day],
    );
    await warehouse.run("insert into core.dirty_day select 'music', date '2026-01-01' + cast(? as integer)", [
      day,
    ]);
  });
  const version = await prepareNextVersion(publishedFolder, warehouse);
  const builtAt = new Date("2026-11-21T08:00:00Z");
  await buildMart(warehouse, {
    version,
    builtAt,
    softwareVersion: "1.2.3",
    assetDurationUnit: "seconds",
    groupIds: [],
    logger,
  });
  await publishMart(warehouse, { publishedFolder, version, now: builtAt, logger });
  process.stdout.write(`${version}\n`);
}
