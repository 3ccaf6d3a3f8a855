import { mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DuckDb } from "../../src/engines/duckdb.ts";

type Value = string | number | boolean | null;
type Row = Readonly<Record<string, Value>>;

/** The mart's tables: types by column, instants as they are published. */
const tables = {
  dim_date: {
    date: "date",
    year: "integer",
    quarter: "integer",
    month: "varchar",
    iso_year: "integer",
    iso_week: "integer",
    day_of_week: "integer",
  },
  dim_kind: { kind: "varchar" },
  dim_zone: {
    zone_id: "bigint",
    zone_name: "varchar",
    location_id: "bigint",
    home_group_id: "bigint",
    time_zone: "varchar",
    first_play_date: "date",
    last_play_date: "date",
  },
  dim_location: {
    location_id: "bigint",
    location_name: "varchar",
    street: "varchar",
    city: "varchar",
    state: "varchar",
    zip: "varchar",
    latitude: "double",
    longitude: "double",
  },
  dim_group: { group_id: "bigint", group_name: "varchar" },
  bridge_group_zone: { group_id: "bigint", zone_id: "bigint" },
  dim_item: {
    item_key: "bigint",
    kind: "varchar",
    item_id: "bigint",
    item_name: "varchar",
    asset_duration: "double",
    start_date: "date",
    end_date: "date",
  },
  dim_campaign: {
    campaign_key: "bigint",
    kind: "varchar",
    campaign_id: "bigint",
    campaign_name: "varchar",
    start_date: "date",
    end_date: "date",
    rrule: "varchar",
    rule_error: "varchar",
    first_seen_at: "timestamptz",
    last_seen_at: "timestamptz",
    is_listed: "boolean",
  },
  bridge_campaign_asset: {
    campaign_key: "bigint",
    item_key: "bigint",
    linked_from: "timestamptz",
    linked_to: "timestamptz",
  },
  dim_device: {
    device_id: "bigint",
    zone_id: "bigint",
    platform: "varchar",
    model: "varchar",
    firmware: "varchar",
    version: "varchar",
    first_seen_at: "timestamptz",
    last_seen_at: "timestamptz",
    status: "varchar",
    last_online_at: "timestamptz",
    last_play_at: "timestamptz",
    last_sd_error: "varchar",
    last_sd_error_at: "timestamptz",
    storage_used_mb: "double",
    storage_total_mb: "double",
  },
  dim_artist: { artist_id: "bigint", artist_name: "varchar" },
  fact_play: {
    kind: "varchar",
    zone_id: "bigint",
    item_key: "bigint",
    artist_id: "bigint",
    played_at: "timestamptz",
    played_at_local: "timestamp",
    utc_offset_minutes: "smallint",
    date: "date",
    play_hour: "integer",
    duration_secs: "integer",
    is_complete: "boolean",
    is_short: "boolean",
  },
  fact_play_day: {
    kind: "varchar",
    zone_id: "bigint",
    item_key: "bigint",
    artist_id: "bigint",
    date: "date",
    plays: "bigint",
    play_seconds: "bigint",
    complete_plays: "bigint",
    measured_plays: "bigint",
    short_plays: "bigint",
  },
  fact_play_item_day: {
    kind: "varchar",
    item_key: "bigint",
    artist_id: "bigint",
    date: "date",
    plays: "bigint",
    play_seconds: "bigint",
    complete_plays: "bigint",
    measured_plays: "bigint",
    short_plays: "bigint",
  },
  fact_play_zone_day: {
    kind: "varchar",
    zone_id: "bigint",
    date: "date",
    plays: "bigint",
    play_seconds: "bigint",
    complete_plays: "bigint",
    measured_plays: "bigint",
    short_plays: "bigint",
    items: "bigint",
  },
  fact_play_zone_hour: {
    kind: "varchar",
    zone_id: "bigint",
    date: "date",
    play_hour: "integer",
    plays: "bigint",
    play_seconds: "bigint",
    complete_plays: "bigint",
    measured_plays: "bigint",
    short_plays: "bigint",
  },
  fact_campaign_zone_day: {
    campaign_key: "bigint",
    kind: "varchar",
    zone_id: "bigint",
    date: "date",
    state: "varchar",
    is_assumed: "boolean",
    candidate_plays: "bigint",
    play_seconds: "bigint",
    exclusive_plays: "bigint",
    weighted_plays: "double",
    complete_plays: "bigint",
    measured_plays: "bigint",
    active_assets: "bigint",
    played_assets: "bigint",
  },
  fact_freshness: { group_id: "bigint", kind: "varchar", source: "varchar", requested_at: "timestamptz" },
  fact_clock_ahead: {
    device_id: "bigint",
    zone_id: "bigint",
    date: "date",
    date_time: "varchar",
    snapshots: "bigint",
    seconds_ahead: "bigint",
  },
  fact_load: {
    load_id: "bigint",
    source: "varchar",
    kind: "varchar",
    group_id: "bigint",
    zone_id: "bigint",
    requested_at: "timestamptz",
    loaded_at: "timestamptz",
    bytes: "bigint",
    lines: "bigint",
    new_plays: "bigint",
    changed: "bigint",
    unchanged: "bigint",
    duplicate: "bigint",
    rejected: "bigint",
    blank: "bigint",
    zero_second: "bigint",
    vanished: "bigint",
  },
  fact_snapshot: {
    snapshot_id: "bigint",
    source: "varchar",
    kind: "varchar",
    group_id: "bigint",
    zone_id: "bigint",
    requested_at: "timestamptz",
    loaded_at: "timestamptz",
    records: "bigint",
    rejected: "bigint",
  },
  fact_unknown_field: {
    source: "varchar",
    kind: "varchar",
    field: "varchar",
    answers: "bigint",
    records: "bigint",
    first_seen_at: "timestamptz",
    last_seen_at: "timestamptz",
  },
  fact_reject: { load_id: "bigint", line_number: "bigint", reason: "varchar", line: "varchar" },
  fact_restatement: {
    version: "varchar",
    kind: "varchar",
    date: "date",
    plays_before: "bigint",
    plays_after: "bigint",
    states_changed: "bigint",
  },
  mart_info: {
    version: "varchar",
    built_at: "timestamptz",
    data_as_of: "timestamptz",
    software_version: "varchar",
  },
} as const satisfies Record<string, Record<string, string>>;

type FixtureTable = keyof typeof tables;
const partitioned: readonly FixtureTable[] = [
  "fact_play",
  "fact_play_day",
  "fact_play_item_day",
  "fact_play_zone_day",
  "fact_play_zone_hour",
  "fact_campaign_zone_day",
];

export interface PublishedFixture {
  version: string;
  /** ISO instant. */
  dataAsOf: string | null;
  /**
   * Tables without rows here are typed files of zero rows; `dim_date`, `dim_kind`, `mart_info` are made, and
   * `fact_play_item_day`, `fact_play_zone_day` and `fact_play_zone_hour` from `fact_play_day` and `fact_play`.
   */
  rows: Partial<Record<FixtureTable, readonly Row[]>>;
}

/** Publishes a version into a folder, as a build would, and makes it current. */
export async function publishFixture(
  folder: string,
  { version, dataAsOf, rows }: PublishedFixture,
): Promise<void> {
  const versionFolder = join(folder, version);
  mkdirSync(versionFolder, { recursive: true });
  const builtAt = "2026-11-21T05:00:00.000Z";
  const info = { version, built_at: builtAt, data_as_of: dataAsOf, software_version: "0.1.0" };
  const all: PublishedFixture["rows"] = {
    dim_kind: [{ kind: "music" }, { kind: "signage" }, { kind: "messaging" }],
    mart_info: [info],
    ...rows,
  };
  const database = await DuckDb.open({ threads: 1 });
  const manifest = { ...info, tables: {} as Record<string, object> };
  try {
    for (const [table, columns] of Object.entries(tables) as [FixtureTable, Record<string, string>][]) {
      await fill(database, table, columns, all[table] ?? [], versionFolder);
      const files = await copy(database, table, versionFolder);
      manifest.tables[table] = {
        partitioned: partitioned.includes(table),
        columns: Object.entries(columns).map(([name, type]) => ({
          name,
          type: type === "timestamptz" ? "TIMESTAMP WITH TIME ZONE" : type.toUpperCase(),
          description: "",
        })),
        rows: (all[table] ?? []).length,
        files,
      };
    }
  } finally {
    database.close();
  }
  writeFileSync(join(versionFolder, "manifest.json"), JSON.stringify(manifest));
  symlinkSync(version, join(folder, "next"));
  renameSync(join(folder, "next"), join(folder, "current"));
}

async function fill(
  database: DuckDb,
  table: FixtureTable,
  columns: Readonly<Record<string, string>>,
  rows: readonly Row[],
  folder: string,
): Promise<void> {
  const list = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  await database.run(`create table ${table} (${list.join(", ")})`);
  if (table === "dim_date") await database.run(datesOfTwoYears);
  if (table === "fact_play_item_day") await database.run(playsOfItems);
  if (table === "fact_play_zone_day") await database.run(playsOfZones);
  if (table === "fact_play_zone_hour") await database.run(playsOfHours);
  if (rows.length === 0) return;
  const source = join(folder, "..", `${table}.ndjson`);
  writeFileSync(source, rows.map((row) => JSON.stringify(row)).join("\n"));
  const types = Object.entries(columns).map(([name, type]) => `${name}: '${type}'`);
  await database.run(
    `insert into ${table} by name select * from read_ndjson(${quoteText(source)}, columns = {${types.join(", ")}})`,
  );
}

const datesOfTwoYears = `
  insert into dim_date
  select day::date, year(day), quarter(day), strftime(day, '%Y-%m'), isoyear(day), weekofyear(day), isodow(day)
  from generate_series(timestamp '2025-01-01', timestamp '2026-12-31', interval 1 day) as days (day)`;

const playsOfItems = `
  insert into fact_play_item_day
  select kind, item_key, artist_id, date,
    sum(plays), sum(play_seconds), sum(complete_plays), sum(measured_plays), sum(short_plays)
  from fact_play_day group by kind, item_key, artist_id, date`;

const playsOfZones = `
  insert into fact_play_zone_day
  select kind, zone_id, date,
    sum(plays), sum(play_seconds), sum(complete_plays), sum(measured_plays), sum(short_plays), count(distinct item_key)
  from fact_play_day group by kind, zone_id, date`;

const playsOfHours = `
  insert into fact_play_zone_hour
  select kind, zone_id, date, play_hour, count(*), sum(duration_secs), count(*) filter (is_complete), count(is_complete),
    count(*) filter (is_short)
  from fact_play group by kind, zone_id, date, play_hour`;

async function copy(
  database: DuckDb,
  table: FixtureTable,
  versionFolder: string,
): Promise<{ path: string; bytes: number }[]> {
  const months = partitioned.includes(table)
    ? (
        await database.all<{ month: string }>(
          `select distinct strftime(date, '%Y-%m') as month from ${table} order by 1`,
        )
      ).map(({ month }) => month)
    : [];
  const parts = partitioned.includes(table)
    ? (months.length > 0 ? months : ["2026-11"]).map((month) => ({
        path: `${table}/month=${month}/data.parquet`,
        where: `where strftime(date, '%Y-%m') = '${month}'`,
      }))
    : [{ path: `${table}.parquet`, where: "" }];
  for (const { path, where } of parts) {
    mkdirSync(dirname(join(versionFolder, path)), { recursive: true });
    await database.run(
      `copy (select * from ${table} ${where} order by all) to ${quoteText(join(versionFolder, path))} (format parquet)`,
    );
  }
  return parts.map(({ path }) => ({ path, bytes: statSync(join(versionFolder, path)).size }));
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
