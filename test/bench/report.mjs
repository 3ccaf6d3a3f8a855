// How long a report takes, as the whole process `venue report …`, over a published mart of so many plays, with
// campaigns and devices; then how fast, and in how much memory, a query of half as many rows is written as Arrow and
// Parquet. On a machine that is busy with other things, compare with `node -e 0`.
// node test/bench/report.mjs [plays]   (default 2,000,000; the budgets are stated for 10,000,000)
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDb } from "../../dist/engines/duckdb.js";
import { listModels } from "../../dist/engines/model.js";

const plays = Number(process.argv[2] ?? 2_000_000);
const zones = Math.max(20, Math.round(plays / 33_000));
const budgetSeconds = 1;
const htmlBudgetSeconds = 3;
const arrowBudgetMb = 500;
const campaigns = 40;
const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const now = "2026-11-21T12:00:00Z";

const byDay = `
  select kind, zone_id, item_key, artist_id, date, count(*) as plays, sum(duration_secs)::bigint as play_seconds,
    count(*) filter (is_complete) as complete_plays, count(is_complete) as measured_plays,
    count(*) filter (is_short) as short_plays
  from play group by all order by zone_id, date, item_key`;

const uptime = `zone_id, date, 82000::bigint as up_seconds, 3600::bigint as down_seconds, 800::bigint as unknown_seconds,
      50000::bigint as open_up_seconds, 3600::bigint as open_down_seconds, 0::bigint as planned_down_seconds,
      600::bigint as silent_seconds, 0::bigint as playing_while_down_seconds, 1::bigint as outages`;

/** Selects over `play`, in the columns of the published tables. */
const tables = {
  dim_date: `select day::date as date, year(day)::int as year, quarter(day)::int as quarter,
      strftime(day, '%Y-%m') as month, isoyear(day)::int as iso_year, weekofyear(day)::int as iso_week,
      isodow(day)::int as day_of_week
    from generate_series(timestamp '2024-01-01', timestamp '2026-12-31', interval 1 day) as days (day)`,
  dim_kind: "select * from (values ('music'), ('signage'), ('messaging')) as kinds (kind)",
  dim_zone: `select zone_id, 'Zone ' || zone_id as zone_name, zone_id // 2 as location_id, zone_id % 5 as home_group_id,
      null::varchar as time_zone, min(date) as first_play_date, max(date) as last_play_date
    from play group by all order by 1`,
  dim_location: `select distinct zone_id // 2 as location_id, 'Location ' || zone_id // 2 as location_name,
      null::varchar as street, null::varchar as city, null::varchar as state, null::varchar as zip,
      null::double as latitude, null::double as longitude from play order by 1`,
  dim_group: "select range as group_id, 'Group ' || range as group_name from range(5)",
  bridge_group_zone: "select distinct zone_id % 5 as group_id, zone_id from play order by 1, 2",
  dim_item: `select item_key, min(kind) as kind, item_key // 4 as item_id, 'Item number ' || item_key as item_name,
      30.0::double as asset_duration, null::date as start_date, null::date as end_date
    from play group by item_key order by 1`,
  dim_artist:
    "select distinct artist_id, 'Artist ' || artist_id as artist_name from play where artist_id is not null",
  fact_play: `select kind, zone_id, item_key, artist_id, (played_at_local + interval 5 hour)::timestamptz as played_at,
      played_at_local, (-300)::smallint as utc_offset_minutes, date, hour(played_at_local)::int as play_hour,
      duration_secs, is_complete, is_short from play order by zone_id, played_at_local`,
  fact_play_day: byDay,
  fact_load: `select range as load_id, 'export' as source, 'music' as kind, range % 5 as group_id, null::bigint as zone_id,
      timestamptz '2026-11-20 00:00:00' as requested_at, timestamptz '2026-11-20 00:00:00' as loaded_at,
      1::bigint as bytes, 1::bigint as lines, 1::bigint as new_plays, 0::bigint as changed, 0::bigint as unchanged,
      0::bigint as duplicate, 5::bigint as rejected, 0::bigint as blank, 0::bigint as zero_second,
      0::bigint as vanished from range(2000)`,
  fact_reject: `select range // 5 as load_id, range as line_number, 'invalid_json' as reason, '{' as line
    from range(10000)`,
  fact_snapshot: `select row_number() over () as snapshot_id, source, null::varchar as kind, range % 5 as group_id,
      null::bigint as zone_id, timestamptz '2026-11-20 00:00:00' - range * interval 1 hour as requested_at,
      timestamptz '2026-11-20 00:00:00' as loaded_at, 60::bigint as records, 0::bigint as rejected
    from range(3000) cross join (values ('devices'), ('notices'), ('components')) as sources (source)`,
  fact_freshness: `select range as group_id, kind, 'export' as source, timestamptz '2026-11-20 00:00:00' as requested_at
    from range(5) cross join (values ('music'), ('signage'), ('messaging')) as kinds (kind)`,
  fact_unknown_field: `select 'devices' as source, null::varchar as kind, 'colour' as field, 1::bigint as answers,
      60::bigint as records, timestamptz '2026-11-20 00:00:00' as first_seen_at,
      timestamptz '2026-11-20 00:00:00' as last_seen_at`,
  fact_clock_ahead: `select zone_id * 10 as device_id, zone_id, date, 'last_online' as date_time, 1::bigint as snapshots,
      600::bigint as seconds_ahead from (select distinct zone_id, date from play where zone_id % 50 = 0)`,
  dim_campaign: `select range * 4 + 1 as campaign_key, 'signage' as kind, range as campaign_id,
      'Campaign ' || range as campaign_name, null::date as start_date, null::date as end_date, null::varchar as rrule,
      null::varchar as rule_error, timestamptz '2026-01-01 00:00:00' as first_seen_at,
      timestamptz '2026-11-20 00:00:00' as last_seen_at, true as is_listed from range(${campaigns})`,
  bridge_campaign_asset: `select range * 4 + 1 as campaign_key, range % 200 * 4 + 1 as item_key,
      timestamptz '2026-01-01 00:00:00' as linked_from, null::timestamptz as linked_to from range(${campaigns})`,
  fact_campaign_zone_day: `select c * 4 + 1 as campaign_key, 'signage' as kind, zone_id, date,
      ['compliant', 'compliant', 'compliant', 'missed', 'missed_offline', 'closed', 'not_measurable']
        [1 + (hash(c, zone_id, date) % 7)::int] as state,
      false as is_assumed, 3::bigint as candidate_plays, 30::bigint as play_seconds, 1::bigint as exclusive_plays,
      1.5::double as weighted_plays, 2::bigint as complete_plays, 3::bigint as measured_plays, 2::bigint as active_assets,
      1::bigint as played_assets
    from (select distinct zone_id, date from play) cross join range(${campaigns}) as campaigns (c)
    order by zone_id, date, campaign_key`,
  dim_device: `select zone_id * 10 as device_id, zone_id, 'box' as platform, 'two' as model, '1.2' as firmware,
      '5' as version, timestamptz '2026-01-01 00:00:00' as first_seen_at,
      timestamptz '2026-11-20 00:00:00' as last_seen_at, case when zone_id % 9 = 0 then 'offline' else 'online' end as status,
      timestamptz '2026-11-20 00:00:00' as last_online_at, timestamptz '2026-11-19 23:00:00' as last_play_at,
      null::varchar as last_sd_error, null::timestamptz as last_sd_error_at, 2000::double as storage_used_mb,
      8000::double as storage_total_mb from (select distinct zone_id from play) order by 1`,
  fact_device_day: `select zone_id * 10 as device_id, ${uptime}, null::double as bandwidth_kbps
    from (select distinct zone_id, date from play) order by zone_id, date`,
  fact_zone_uptime: `select (date + interval 5 hour)::timestamptz as start_at,
      (date + interval 29 hour)::timestamptz as end_at, ${uptime} from (select distinct zone_id, date from play) order by zone_id, date`,
  fact_zone_opening: `select zone_id, date, date + interval 6 hour as opens_at, date + interval 22 hour as closes_at
    from (select distinct zone_id, date from play) order by zone_id, date`,
  fact_outage: `select 'o' || zone_id || date as outage_key, zone_id * 10 as device_id, zone_id, date,
      (date + interval 8 hour)::timestamptz as started_at, (date + interval 10 hour)::timestamptz as ended_at,
      7200::bigint as down_seconds, false as is_open
    from (select distinct zone_id, date from play where zone_id % 5 = 0) order by zone_id, date`,
  dim_notice: `select 1::bigint as notice_id, 'planned' as type, 'completed' as state, 'Work' as subject,
      null::varchar as url, timestamptz '2026-11-01 00:00:00' as began_at, timestamptz '2026-11-01 01:00:00' as ended_at`,
  bridge_outage_notice: "select ''::varchar as outage_key, 1::bigint as notice_id where false",
  dim_component: `select 1::bigint as component_id, 'Players' as component_name, 'operational' as state,
      null::bigint as parent_id`,
  fact_restatement: `select 'v000001' as version, 'music' as kind, date '2026-11-01' as date,
      1::bigint as plays_before, 2::bigint as plays_after, 0::bigint as states_changed where false`,
  mart_info: `select 'v000001' as version, timestamptz '2026-11-21 05:00:00' as built_at,
      timestamptz '2026-11-21 04:00:00' as data_as_of, '0.0.0' as software_version`,
};

const reports = [
  ["report", "plays"],
  ["report", "plays", "--by", "zone"],
  ["report", "plays", "--by", "item", "--top", "20"],
  ["report", "plays", "--by", "group,week"],
  ["report", "plays", "--by", "hour"],
  ["report", "plays", "--by", "zone,date"],
  ["report", "plays", "--by", "kind", "--group", "1"],
  ["report", "compliance", "--by", "campaign"],
  ["report", "compliance", "--by", "zone,date"],
  ["report", "uptime", "--by", "zone"],
  ["report", "outages"],
  ["report", "devices"],
  ["report", "quality"],
];
const wholeRows = `select p.*, z.zone_name, i.item_name from fact_play p join dim_zone z using (zone_id)
  join dim_item i using (item_key) limit ${Math.round(plays / 2)}`;
const query = "select kind, sum(plays) as plays from fact_play_day group by kind";

// A process says itself, at its end, what it took.
const sayUsage = `process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(\`usage \${maxRSS} \${userCPUTime + systemCPUTime}\`);
})`;

const folder = mkdtempSync(join(tmpdir(), "venue-analytics-bench-"));
try {
  const days = await publish(join(folder, "published"));
  process.stdout.write(`${plays} plays, ${zones} zones, ${days} days; whole process, median of 3\n`);
  time("node -e 0", ["-e", "0"]);
  time("query", [program, "query", query]);
  for (const words of reports) {
    time(`${words.join(" ")} (28 days)`, [program, ...words, "--format", "csv"], budgetSeconds);
    time("  the same, as json", [program, ...words, "--format", "json"], budgetSeconds);
    time("  the same, as a page", [program, ...words, "--format", "html"], htmlBudgetSeconds);
    if (words[1] !== "devices" && words[1] !== "quality") {
      time("  the same, all days", [
        program,
        ...words,
        "--from",
        "2024-01-01",
        "--to",
        "2026-11-20",
        "--format",
        "csv",
      ]);
    }
  }
  for (const format of ["arrow", "parquet"]) measureQuery(format);
} finally {
  rmSync(folder, { recursive: true });
}

function run(label, words) {
  const usage = ["--import", `data:text/javascript,${encodeURIComponent(sayUsage)}`];
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [...usage, ...words], {
    env: { ...process.env, VENUE_DATA_DIR: folder, VENUE_HOME: join(folder, "home"), VENUE_NOW: now },
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`${label} ended with ${status}: ${stderr}`);
  const [, kilobytes, microseconds] = /usage (\d+) (\d+)/.exec(stderr) ?? [];
  return {
    seconds: (performance.now() - start) / 1000,
    processorSeconds: Number(microseconds) / 1e6,
    megabytes: Math.round(Number(kilobytes) / 1024),
  };
}

function timeText({ seconds, processorSeconds }) {
  return `${seconds.toFixed(2).padStart(6)} s (${processorSeconds.toFixed(2)} s of processor)`;
}

function time(label, words, budget) {
  const median = [1, 2, 3].map(() => run(label, words)).sort((a, b) => a.seconds - b.seconds)[1];
  const verdict =
    budget === undefined ? "" : `  budget ${budget} s: ${median.seconds <= budget ? "kept" : "MISSED"}`;
  process.stdout.write(`${timeText(median)}  ${label}${verdict}\n`);
}

/** Every column of so many plays, with names, into a file. */
function measureQuery(format) {
  const file = join(folder, `rows.${format}`);
  const words = [program, "query", wholeRows, "--format", format, "--out", file];
  const taken = run(`query as ${format}`, words);
  const rows = Math.round(plays / 2);
  const size = Math.round(statSync(file).size / 1e6);
  const verdict =
    format === "arrow"
      ? `  budget ${arrowBudgetMb} MB: ${taken.megabytes <= arrowBudgetMb ? "kept" : "MISSED"}`
      : "";
  process.stdout.write(
    `${timeText(taken)}  query of ${rows} rows as ${format}: ${Math.round(rows / taken.seconds)} rows/s, ${size} MB, peak memory ${taken.megabytes} MB${verdict}\n`,
  );
}

/** @throws where the made-up table is not as the model's header says */
async function selectOf(database, { table, columns }) {
  const select = tables[table];
  if (select === undefined) throw new Error(`nothing is made up for ${table}`);
  const made = (await database.all(`describe ${select}`)).map(({ column_name }) => column_name).sort();
  const [missing, surplus] = [columns.map(({ name }) => name), made].map((names, index, both) =>
    names.filter((name) => !both[1 - index].includes(name)),
  );
  if (missing.length + surplus.length > 0)
    throw new Error(
      `${table} lacks ${missing.join(", ") || "nothing"}, has too many: ${surplus.join(", ") || "none"}`,
    );
  return select;
}

/** Writes one version, as a build would, straight with DuckDB. Answers the number of days. */
async function publish(published) {
  const version = join(published, "v000001");
  mkdirSync(version, { recursive: true });
  const database = await DuckDb.open({
    path: join(folder, "bench.duckdb"),
    memoryLimit: "1GB",
    tempDir: folder,
  });
  const manifest = {
    version: "v000001",
    built_at: now,
    data_as_of: now,
    software_version: "0.0.0",
    tables: {},
  };
  // A play every six minutes in each zone, back from yesterday evening; songs mostly.
  await database.run(`
    create table play as
    with numbered as (
      select range // ${Math.ceil(plays / zones)} + 1 as zone_id, range % ${Math.ceil(plays / zones)} as number, hash(range) as h
      from range(${plays})
    ), chosen as (
      select *, case when h % 20 = 0 then 1 when h % 20 = 1 then 2 else 0 end as k from numbered
    )
    select ['music', 'signage', 'messaging'][k + 1] as kind, zone_id,
      ((h // 100) % case k when 0 then 5000 else 200 end * 4 + k)::bigint as item_key,
      case when k = 0 then ((h // 100) % 5000 // 5)::bigint end as artist_id,
      timestamp '2026-11-20 23:00:00' - number * interval 360 second as played_at_local,
      (timestamp '2026-11-20 23:00:00' - number * interval 360 second)::date as date,
      (h // 7 % 300 + 10)::int as duration_secs,
      case when k > 0 then h // 7 % 300 > 100 end as is_complete,
      case when k = 0 then h // 7 % 300 < 20 end as is_short
    from chosen`);
  const months = await database.all("select distinct strftime(date, '%Y-%m') as month from play order by 1");
  for (const model of listModels().filter(({ schema }) => schema === "mart")) {
    const { table } = model;
    const partitioned = model.published.isByMonth;
    const select = await selectOf(database, model);
    const parts = partitioned
      ? months.map(({ month }) => [
          `${table}/month=${month}/data.parquet`,
          `strftime(date, '%Y-%m') = '${month}'`,
        ])
      : [[`${table}.parquet`, "true"]];
    for (const [path, where] of parts) {
      mkdirSync(dirname(join(version, path)), { recursive: true });
      const source = partitioned ? select.replace("from play", `from play where ${where}`) : select;
      await database.run(
        `copy (${source}) to '${join(version, path)}' (format parquet, compression zstd, row_group_size 122880)`,
      );
    }
    const columns = await database.all(`describe ${select}`);
    manifest.tables[table] = {
      partitioned,
      columns: columns.map(({ column_name: name, column_type: type }) => ({ name, type, description: "" })),
      files: parts.map(([path]) => ({ path, bytes: statSync(join(version, path)).size })),
    };
  }
  const { days } = await database.get("select count(distinct date) as days from play");
  database.close();
  writeFileSync(join(version, "manifest.json"), JSON.stringify(manifest));
  symlinkSync("v000001", join(published, "current"));
  return days;
}
