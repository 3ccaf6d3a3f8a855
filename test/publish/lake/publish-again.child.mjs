// Adds a play, a load and a snapshot, and publishes, repeatedly, until killed or finished. Arguments: data
// folder, lake (folder or URL), machine name, number of the first play, count. Prints one line per publish.
import { join } from "node:path";
import { publishLake } from "../../../dist/publish/lake/publish-lake.js";
import { publishStoredLake } from "../../../dist/publish/lake/publish-stored-lake.js";
import { openStorage } from "../../../dist/storage/open-storage.js";
import { isS3Url } from "../../../dist/storage/s3-url.js";
import { silentLogger as logger } from "../../../dist/util/logger.js";
import { openWarehouse } from "../../../dist/workspace/warehouse.js";

const [folder = "", lake = "", machine = "", first = "0", count = "Infinity"] = process.argv.slice(2);
const storage = await openStorage(lake);
const warehouse = await openWarehouse({ path: join(folder, "warehouse.duckdb"), threads: 1 });
for (let number = Number(first); number < Number(first) + Number(count); number += 1) {
  await warehouse.transaction(async () => {
    // Every play is in another month than the previous one.
    await warehouse.run(
      `insert into core.play by name
      select 'music' as kind, 1 as zone_id, 5 as item_id, played_at, played_at as played_at_local, 0 as utc_offset_minutes,
        0 as written_offset_minutes, played_at::date as date, 100 as duration_secs, number as first_load_id,
        number as last_load_id
      from (select timestamp '2026-01-01' + to_months(cast(number % 3 as integer)) + to_hours(cast(number as integer)) as played_at, number from (select cast(? as bigint) as number))`,
      [number],
    );
    const ledger =
      "as landing_id, 'x' as source, 'music' as kind, 7 as group_id, now()::timestamp as requested_at, requested_at as loaded_at";
    await warehouse.run(
      `insert into core.load by name select cast(? as bigint) as load_id, 'l' || load_id ${ledger},
        true as is_complete, 0 as bytes, 1 as lines, 1 as new_plays, 0 as changed, 0 as unchanged, 0 as duplicate,
        0 as rejected, 0 as blank, 0 as zero_second, 0 as vanished`,
      [number],
    );
    await warehouse.run(
      `insert into core.snapshot by name select cast(? as bigint) as snapshot_id, 's' || snapshot_id ${ledger},
        0 as records, 0 as rejected`,
      [number],
    );
  });
  const options = { machine, now: new Date(), softwareVersion: "1.2.3", logger };
  if (!isS3Url(lake)) await publishLake(warehouse, { ...options, lake });
  else await publishStoredLake(warehouse, { ...options, storage, tempFolder: folder });
  process.stdout.write(`${number}\n`);
}
warehouse.close();
