// How long building, checking and publishing takes, for N plays (default 2,000,000) over two years, and again after one
// more day. Budget at 10,000,000: the second at most 0.1 × the first. With few plays what is the same for any number
// of them (opening, whole tables, syncing folders to disk; some 0.4 s) weighs more.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildMart } from "../../dist/build/build-mart.js";
import { runChecks } from "../../dist/build/run-checks.js";
import { openWarehouse } from "../../dist/engines/warehouse.js";
import { nextVersion } from "../../dist/publish/next-version.js";
import { publishMart } from "../../dist/publish/publish-mart.js";
import { silentLogger as logger } from "../../dist/util/logger.js";

const plays = Number(process.argv[2] ?? 2_000_000);
const days = 730;
const zones = 400;
const folder = mkdtempSync(join(tmpdir(), "venue-analytics-bench-"));
const publishedFolder = join(folder, "published");
const warehouse = await openWarehouse({
  path: join(folder, "warehouse.duckdb"),
  memoryLimit: "600MB",
  tempDir: join(folder, "tmp"),
});
try {
  await addPlays(0, days, plays);
  const full = await buildAndPublish("full");
  await addPlays(days, 1, Math.round(plays / days));
  const more = await buildAndPublish("after one more day");
  const ratio = more / full;
  print(
    `  ratio ${ratio.toFixed(3)} (budget at 10,000,000 plays: 0.1${plays >= 10_000_000 && ratio > 0.1 ? ", MISSED" : ""})`,
  );
  print(`  peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
} finally {
  warehouse.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Adds so many plays, spread evenly over zones and days, and marks the days as a load would. */
async function addPlays(firstDay, dayCount, count) {
  const perZone = Math.ceil(count / zones);
  await warehouse.run(
    `insert into core.play by name
    select
      'music' as kind, 1000 + i % ${zones} as zone_id, (hash(i) % 20000)::bigint as item_id, at_utc as played_at,
      at_utc + interval 1 hour as played_at_local, 60 as utc_offset_minutes, 60 as written_offset_minutes,
      (at_utc + interval 1 hour)::date as date, 20 + (hash(i + 7) % 240)::integer as duration_secs,
      i % ${zones} as location_id, (hash(i) % 20000 % 3000)::bigint as artist_id, 1 as first_load_id, 1 as last_load_id
    from (
      select i, timestamp '2024-01-01' + to_days(${firstDay}) - interval 1 hour
        + to_microseconds((i // ${zones}) * ${Math.floor((dayCount * 86_400_000) / perZone)} * 1000) as at_utc
      from range(${count}) as plays (i)
    )`,
  );
  await warehouse.run(
    `insert into core.dirty_day select distinct kind, date from core.play where date >= date '2024-01-01' + ${firstDay}`,
  );
}

/** Seconds from the next version's name to its publication. */
async function buildAndPublish(label) {
  const startedAt = performance.now();
  const laps = [];
  let lapAt = startedAt;
  const lap = (name) => {
    laps.push(`${name} ${((performance.now() - lapAt) / 1000).toFixed(2)}`);
    lapAt = performance.now();
  };
  const version = await nextVersion(publishedFolder, warehouse);
  const builtAt = new Date();
  await buildMart(warehouse, {
    version,
    builtAt,
    softwareVersion: "bench",
    assetDurationUnit: "seconds",
    groupIds: [],
    logger,
  });
  lap("build");
  await runChecks(warehouse, { days: "unpublished" });
  lap("checks");
  await publishMart(warehouse, { publishedFolder, version, now: builtAt, logger });
  lap("publish");
  const seconds = (performance.now() - startedAt) / 1000;
  print(`build and publish, ${plays} plays, ${label}: ${seconds.toFixed(2)} s (${laps.join(", ")})`);
  return seconds;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
