import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { now } from "../measure/venue.mjs";
import { madeUpRows } from "./made-up-rows.mjs";

/**
 * Adds made-up campaigns and devices to the published version, for each zone and day with plays, as its
 * manifest describes them: music files have neither.
 * @throws when a made-up column is missing from the manifest
 */
export async function addListings(dataFolder) {
  const version = join(dataFolder, "published", "current");
  const manifestFile = join(version, "manifest.json");
  const manifest = JSON.parse(readFileSync(manifestFile, "utf8"));
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    await connection.run("set TimeZone = 'UTC'");
    await connection.run(`create table zone_day as select distinct zone_id, date
      from read_parquet(${filesText(version, manifest.tables.fact_play_day)})`);
    for (const [table, select] of Object.entries(madeUpRows(now)))
      await addRows(connection, version, table, manifest.tables[table], select);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  writeFileSync(`${manifestFile}.new`, JSON.stringify(manifest));
  renameSync(`${manifestFile}.new`, manifestFile);
}

async function addRows(connection, version, table, published, select) {
  await connection.run(`create or replace table made as
    select * from read_parquet(${filesText(version, published)}, hive_partitioning = false) union all by name ${select}`);
  const columns = await valuesOf(connection, "select column_name from (describe made)");
  const unknown = columns.filter((name) => published.columns.every((column) => column.name !== name));
  if (unknown.length > 0) throw new Error(`${table} has no ${unknown.join(", ")}`);

  const months = published.partitioned
    ? await valuesOf(connection, "select distinct strftime(date, '%Y-%m') from made order by 1")
    : [undefined];
  for (const { path } of published.files) rmSync(join(version, path));
  published.files = [];
  for (const month of months) {
    const path = month === undefined ? `${table}.parquet` : `${table}/month=${month}/data.parquet`;
    const file = join(version, path);
    mkdirSync(dirname(file), { recursive: true });
    const where = month === undefined ? "true" : `strftime(date, '%Y-%m') = '${month}'`;
    const order = columns.filter((name) => ["zone_id", "date"].includes(name)).join(", ") || "all";
    await connection.run(`copy (from made where ${where} order by ${order})
      to '${file}' (format parquet, compression zstd, row_group_size 122880)`);
    published.files.push({ path, bytes: statSync(file).size });
  }
}

async function valuesOf(connection, sql) {
  const rows = (await connection.runAndReadAll(sql)).getRows();
  return rows.map(([value]) => value);
}

function filesText(version, { files }) {
  return `[${files.map(({ path }) => `'${join(version, path)}'`).join(", ")}]`;
}
