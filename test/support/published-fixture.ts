import { cpSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { getDateColumn, listModels } from "../../src/mart/model.ts";
import contract from "../mart/contract.json" with { type: "json" };
import { shareFolder } from "./shared-folder.ts";

type Value = string | number | boolean | null;
type Row = Readonly<Record<string, Value>>;

type FixtureTable = keyof typeof contract;

function publishedType(name: string, type: string): string {
  return type === "TIMESTAMP" && !name.endsWith("_local") ? "TIMESTAMP WITH TIME ZONE" : type;
}

/** The date column of each table that is published by month. */
const partitioned = new Map<string, "date" | "month">(
  listModels().flatMap((model) =>
    model.schema === "mart" && model.published.isByMonth ? [[model.table, getDateColumn(model)]] : [],
  ),
);

export interface PublishedFixture {
  version: string;
  /** ISO instant. */
  dataAsOf: string | null;
  /**
   * Tables missing here become typed files without rows; `dim_date`, `dim_kind` and `mart_info` are
   * generated, and `fact_play_item_day`, `fact_play_month`, `fact_play_zone_day` and `fact_play_zone_hour`
   * derived from `fact_play_day` and `fact_play`.
   */
  rows: Partial<Record<FixtureTable, readonly Row[]>>;
}

/** Publishes a version into a folder, as a build does, and makes it current. */
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
  const hasPlays = tables.some(([table]) => isOfPlays(table) && all[table]?.length);
  const unfilled = await shareFolder("unfilled tables", writeUnfilled);
  try {
    for (const [table, columns] of tables) {
      const isFilled = isOfPlays(table) ? hasPlays : all[table]?.length;
      const files = isFilled
        ? await write(database, table, columns, all[table] ?? [], versionFolder)
        : copyFiles(unfilled, table, versionFolder);
      manifest.tables[table] = {
        partitioned: partitioned.has(table),
        columns: Object.entries(columns).map(([name, type]) => ({ name, type, description: "" })),
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

const tables = (Object.entries(contract) as [FixtureTable, Record<string, string>][]).map(
  ([table, promised]) =>
    [
      table,
      Object.fromEntries(Object.entries(promised).map(([name, type]) => [name, publishedType(name, type)])),
    ] as const,
);

/** Most of these are derived from the others. */
const isOfPlays = (table: FixtureTable) => table.startsWith("fact_play");

/** Tables without rows, and the calendar: the same in all fixtures. */
async function writeUnfilled(folder: string): Promise<void> {
  const database = await DuckDb.open({ threads: 1 });
  try {
    for (const [table, columns] of tables) await write(database, table, columns, [], folder);
  } finally {
    database.close();
  }
}

function copyFiles(from: string, table: FixtureTable, to: string): { path: string; bytes: number }[] {
  const name = partitioned.has(table) ? table : `${table}.parquet`;
  cpSync(join(from, name), join(to, name), { recursive: true });
  const paths = partitioned.has(table)
    ? readdirSync(join(to, name), { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".parquet"))
        .map((path) => join(name, path))
    : [name];
  return paths.map((path) => ({ path, bytes: statSync(join(to, path)).size }));
}

async function write(
  database: DuckDb,
  table: FixtureTable,
  columns: Readonly<Record<string, string>>,
  rows: readonly Row[],
  folder: string,
): Promise<{ path: string; bytes: number }[]> {
  await fill(database, table, columns, rows, folder);
  return await copy(database, table, folder);
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
  if (table === "dim_date") await database.run(datesOfThreeYears);
  if (table === "fact_play_item_day") await database.run(playsOfItems);
  if (table === "fact_play_month") await database.run(playsOfMonths);
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

const datesOfThreeYears = `
  insert into dim_date by name
  select day::date as date, year(day) as year, quarter(day) as quarter, strftime(day, '%Y-%m') as month,
    isoyear(day) as iso_year, weekofyear(day) as iso_week, isodow(day) as day_of_week
  from generate_series(timestamp '2025-01-01', timestamp '2027-12-31', interval 1 day) as days (day)`;

const sums = `sum(plays) as plays, sum(play_seconds) as play_seconds, sum(complete_plays) as complete_plays,
  sum(measured_plays) as measured_plays, sum(short_plays) as short_plays`;

const playsOfItems = `
  insert into fact_play_item_day by name
  select kind, item_key, artist_id, date, ${sums}
  from fact_play_day group by kind, item_key, artist_id, date`;

const playsOfMonths = `
  insert into fact_play_month by name
  select kind, zone_id, item_key, artist_id, date_trunc('month', date) as month, ${sums}
  from fact_play_day group by all`;

const playsOfZones = `
  insert into fact_play_zone_day by name
  select kind, zone_id, date, ${sums}, count(distinct item_key) as items
  from fact_play_day group by kind, zone_id, date`;

const playsOfHours = `
  insert into fact_play_zone_hour by name
  select kind, zone_id, date, play_hour, count(*) as plays, sum(duration_secs) as play_seconds,
    count(*) filter (is_complete) as complete_plays, count(is_complete) as measured_plays,
    count(*) filter (is_short) as short_plays
  from fact_play group by kind, zone_id, date, play_hour`;

async function copy(
  database: DuckDb,
  table: FixtureTable,
  versionFolder: string,
): Promise<{ path: string; bytes: number }[]> {
  const column = partitioned.get(table);
  const months = column
    ? (
        await database.all<{ month: string }>(
          `select distinct strftime(${column}, '%Y-%m') as month from ${table} order by 1`,
        )
      ).map(({ month }) => month)
    : [];
  const parts = column
    ? (months.length > 0 ? months : ["2026-11"]).map((month) => ({
        path: `${table}/${column === "month" ? "" : "month="}${month}/data.parquet`,
        where: `where strftime(${column}, '%Y-%m') = '${month}'`,
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
