// How long building, checking and publishing takes, for N plays (default 2,000,000) over two years, and again after one
// more day: of plays alone, then of a chain with a device in each zone, listed every day, and campaigns in each zone; there
// one more day of listings of devices, of campaigns, and of everything. Budget at 10,000,000: each at most 0.1 × the first.
// With few plays what is the same for any number of them (opening, whole tables, syncing folders to disk; some 0.4 s)
// weighs more. Beside the time on the clock stands that of all processors, which other programs disturb less.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildMart } from "../../dist/build/build-mart.js";
import { runChecks } from "../../dist/build/run-checks.js";
import { openWarehouse } from "../../dist/engines/warehouse.js";
import { nextVersion } from "../../dist/publish/next-version.js";
import { publishMart } from "../../dist/publish/publish-mart.js";
import { silentLogger } from "../../dist/util/logger.js";

const plays = Number(process.argv[2] ?? 2_000_000);
const days = 730;
const zones = 400;
const campaignsPerZone = 3;

await inWarehouse(async (warehouse, publishedFolder) => {
  await addPlays(warehouse, 0, days, plays);
  const full = await buildAndPublish(warehouse, publishedFolder, "plays alone, full");
  await addPlays(warehouse, days, 1, Math.round(plays / days));
  report(full, await buildAndPublish(warehouse, publishedFolder, "after one more day"));
});
await inWarehouse(async (warehouse, publishedFolder) => {
  await addPlays(warehouse, 0, days, plays, 5);
  await addDevices(warehouse, 0, days);
  await addCampaigns(warehouse, 0);
  await addExports(warehouse, days);
  const full = await buildAndPublish(warehouse, publishedFolder, "with devices and campaigns, full");
  const next = async (label) => report(full, await buildAndPublish(warehouse, publishedFolder, label));
  await addDevices(warehouse, days, 1);
  await next("after one more day of devices");
  await addCampaigns(warehouse, days + 1);
  await next("after one more day of campaigns");
  await addPlays(warehouse, days, 1, Math.round(plays / days), 5);
  await addDevices(warehouse, days + 1, 1);
  await addCampaigns(warehouse, days + 2);
  await addExports(warehouse, days + 1);
  await next("after one more day of everything");
});
print(`  peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);

async function inWarehouse(measure) {
  const folder = mkdtempSync(join(tmpdir(), "venue-analytics-bench-"));
  const warehouse = await openWarehouse({
    path: join(folder, "warehouse.duckdb"),
    memoryLimit: "600MB",
    tempDir: join(folder, "tmp"),
  });
  try {
    await measure(warehouse, join(folder, "published"));
  } finally {
    warehouse.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(full, more) {
  const ratio = more.seconds / full.seconds;
  const isMissed = plays >= 10_000_000 && ratio > 0.1;
  print(
    `  ratio ${ratio.toFixed(3)}, of processor time ${(more.cpuSeconds / full.cpuSeconds).toFixed(3)} (budget at 10,000,000 plays: 0.1${isMissed ? ", MISSED" : ""})`,
  );
}

/** The instant at which a local day begins: all zones are one hour ahead of UTC. */
function startOf(day) {
  return `(timestamp '2024-01-01' + to_days((${day})::integer) - interval 1 hour)`;
}

/** Adds so many plays, spread evenly over zones and days, one in `signageShare` of signage; marks the days as a load would. */
async function addPlays(warehouse, firstDay, dayCount, count, signageShare = 0) {
  const perZone = Math.ceil(count / zones);
  await warehouse.run(
    `insert into core.play by name
    select
      case when is_signage then 'signage' else 'music' end as kind, 1000 + i % ${zones} as zone_id,
      (hash(i) % case when is_signage then ${2 * campaignsPerZone} else 20000 end)::bigint as item_id, at_utc as played_at,
      at_utc + interval 1 hour as played_at_local, 60 as utc_offset_minutes, 60 as written_offset_minutes,
      (at_utc + interval 1 hour)::date as date, 20 + (hash(i + 7) % 240)::integer as duration_secs,
      i % ${zones} as location_id, case when not is_signage then (hash(i) % 20000 % 3000)::bigint end as artist_id, 1 as first_load_id, 1 as last_load_id
    from (
      select i, ${signageShare} > 0 and (i // ${zones}) % greatest(${signageShare}, 1) = 0 as is_signage, ${startOf(firstDay)}
        + to_microseconds((i // ${zones}) * ${Math.floor((dayCount * 86_400_000) / perZone)} * 1000) as at_utc
      from range(${count}) as plays (i)
    )`,
  );
  await warehouse.run(
    `insert into core.dirty_day select distinct kind, date from core.play where date >= date '2024-01-01' + ${firstDay}`,
  );
}

/** Local days, with one listing of all devices at noon of each; one device in fifty is out every tenth day. */
async function addDevices(warehouse, firstDay, dayCount) {
  const range = `range(${firstDay}, ${firstDay + dayCount})`;
  await warehouse.run(
    `insert into core.zone_day select 1000 + z as zone_id, date '2024-01-01' + d::integer as date,
      ${startOf("d")} as start_at, ${startOf("d + 1")} as end_at
    from range(${zones}) as zones (z), ${range} as days (d)`,
  );
  await warehouse.run(
    `insert into core.snapshot by name select 1000000 + d as snapshot_id, 'devices ' || d as landing_id,
      'devices' as source, '' as kind, 1 as group_id, ${startOf("d")} + interval 12 hour as requested_at,
      ${startOf("d")} as loaded_at, ${zones} as records, 0 as rejected
    from ${range} as days (d)`,
  );
  await warehouse.run(
    `insert into core.device_snapshot by name select 1000000 + d as snapshot_id, 1 as group_id,
      ${startOf("d")} + interval 12 hour as requested_at, 5000 + z as device_id, 1000 + z as zone_id,
      case when z % 50 = 0 and (d + z) % 10 = 0 then 'offline' else 'online' end as status,
      ${startOf("d")} + interval 6 hour as last_online_at, 216000 as max_gap_seconds
    from range(${zones}) as zones (z), ${range} as days (d)`,
  );
  await warehouse.run(
    `insert into core.dirty_device_day
    select distinct '' as kind, date '2024-01-01' + (d + k)::integer as date
    from ${range} as days (d), range(-1, 2) as around (k)`,
  );
  await warehouse.run(
    `insert into core.zone_group_sighting
    select 1000 + z, 1, 'devices', '', ${startOf(firstDay + dayCount)} from range(${zones}) as zones (z)`,
  );
}

/** A listing of each zone's campaigns as a day begins, which says what the first one said: it may raise doubt of the day before. */
async function addCampaigns(warehouse, day) {
  const owner = "'signage' as kind, 'zone' as owner_kind, 1000 + z as owner_id";
  await warehouse.run(
    `insert into core.campaign_listing select ${owner}, ${startOf(day)} as requested_at,
      ${campaignsPerZone} as campaigns, true as is_valid,
      (select max(requested_at) from core.campaign_listing) as previous_at
    from range(${zones}) as zones (z)`,
  );
  if (day > 0) {
    await warehouse.run("update core.listing_span set last_seen_at = ?", [
      new Date(Date.UTC(2024, 0, 1 + day) - 3_600_000).toISOString().slice(0, 19).replace("T", " "),
    ]);
    await warehouse.run(
      `insert into core.dirty_campaign_day select distinct 'signage', date '2024-01-01' + ${day} - k::integer
      from range(0, 2) as around (k)`,
    );
    return;
  }
  const since = "timestamp '1970-01-01' as from_at";
  await warehouse.run(
    `insert into core.listing_span by name select ${owner}, c as campaign_id, 'Campaign ' || c as campaign_name,
      'enabled' as status, true as is_enabled, ${since}, ${startOf(day)} as seen_from_at, ${startOf(day)} as last_seen_at
    from range(${zones}) as zones (z), range(${campaignsPerZone}) as campaigns (c)`,
  );
  await warehouse.run(
    `insert into core.listing_asset_span by name select ${owner}, c as campaign_id, 2 * c + a as asset_id,
      ${since}, ${startOf(day)} as seen_from_at, ${startOf(day)} as last_seen_at
    from range(${zones}) as zones (z), range(${campaignsPerZone}) as campaigns (c), range(2) as assets (a)`,
  );
}

/** Complete exports, asked for as a day begins. */
async function addExports(warehouse, day) {
  await warehouse.run(
    `insert into core.load by name select (select coalesce(max(load_id), 0) from core.load) + row_number() over () as load_id,
      kind || ' ' || ${day} as landing_id, 'export' as source, kind, 1 as group_id, ${startOf(day)} as requested_at,
      ${startOf(day)} as loaded_at, true as is_complete, 0 as bytes, 0 as lines, 0 as new_plays, 0 as changed,
      0 as unchanged, 0 as duplicate, 0 as rejected, 0 as blank, 0 as zero_second, 0 as vanished
    from (values ('music'), ('signage')) as kinds (kind)`,
  );
}

/** From the next version's name to its publication: seconds on the clock, and of all processors. */
async function buildAndPublish(warehouse, publishedFolder, label) {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const laps = [];
  let lapAt = startedAt;
  const lap = (name) => {
    laps.push(`${name} ${((performance.now() - lapAt) / 1000).toFixed(2)}`);
    lapAt = performance.now();
  };
  const steps = [];
  const logger = { ...silentLogger, debug: (text, fields) => steps.push({ text, ms: fields?.ms ?? 0 }) };
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
  const failed = (await runChecks(warehouse, { days: "unpublished" })).filter(
    ({ severity, failingRows }) => severity === "error" && failingRows > 0,
  );
  if (failed.length > 0) throw new Error(`the bench's world is not sound: ${JSON.stringify(failed)}`);
  lap("checks");
  await publishMart(warehouse, { publishedFolder, version, now: builtAt, logger });
  lap("publish");
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  print(`build and publish, ${plays} plays, ${label}: ${seconds.toFixed(2)} s (${laps.join(", ")})`);
  const longest = steps.sort((a, b) => b.ms - a.ms).slice(0, 5);
  print(`  longest: ${longest.map(({ text, ms }) => `${text} ${ms} ms`).join(", ")}`);
  return { seconds, cpuSeconds: (user + system) / 1e6 };
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
