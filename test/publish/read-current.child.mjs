// Resolves `current` and reads everything it leads to, repeatedly, until stdin ends. Prints one line per
// round: what it read. Argument: the published folder. Unreadable or inconsistent data ends it with an error.
import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { DuckDb } from "../../dist/engines/duckdb/duckdb.js";
import { openPublished } from "../../dist/report/published/open-published.js";
import { runQuery } from "../../dist/report/query/run-query.js";

const [published = ""] = process.argv.slice(2);
let isDone = false;
process.stdin.on("end", () => {
  isDone = true;
});
process.stdin.resume();

const reader = await DuckDb.open({ threads: 1 });
while (!isDone) {
  const folder = realpathSync(join(published, "current"));
  process.stdout.write(`${JSON.stringify(await readWhole(folder))}\n`);
  await readByProgram();
}
reader.close();

/** Reads like a BI tool: every file of every table, by path. */
async function readWhole(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  same(basename(folder), manifest.version, "the manifest's version");
  const read = {};
  for (const [name, { partitioned, rows, files }] of Object.entries(manifest.tables)) {
    for (const { path, sha256 } of files) {
      const content = readFileSync(join(folder, path));
      same(createHash("sha256").update(content).digest("hex"), sha256, `${manifest.version}: ${path}`);
    }
    const source = partitioned ? `${name}/*/*.parquet` : `${name}.parquet`;
    // Hashed, so that every value of every column is read.
    const found = await reader.get(
      `select count(*) as rows, bit_xor(hash(t)) as all_values from read_parquet('${folder}/${source}', hive_partitioning = false) as t`,
    );
    same(found.rows, rows, `${manifest.version}: rows of ${name}`);
    read[name] = found.rows;
  }
  const { version, plays, by_day, by_zone } = await reader.get(
    `select (select version from '${folder}/mart_info.parquet') as version,
      (select count(*) from '${folder}/fact_play/*/*.parquet') as plays,
      (select sum(plays)::bigint from '${folder}/fact_play_day/*/*.parquet') as by_day,
      (select count(*) from '${folder}/fact_play/*/*.parquet' join '${folder}/dim_zone.parquet' using (zone_id)) as by_zone`,
  );
  same(version, manifest.version, "the version in mart_info");
  same(by_day, plays, `${version}: plays by day`);
  same(by_zone, plays, `${version}: plays by zone`);
  return { version, rows: read };
}

/** Reads like reports do. */
async function readByProgram() {
  const mart = await openPublished(published, { threads: 1 });
  try {
    const sql = `select (select version from mart_info) as version, (select count(*) from fact_play) as plays,
      (select sum(plays)::bigint from fact_play_day) as by_day`;
    for await (const [version, plays, byDay] of (await runQuery(mart, sql)).rows) {
      same(version, mart.version, "the version that a query sees");
      same(byDay, plays, `${version}: plays by day, by a query`);
    }
  } finally {
    mart.close();
  }
}

function same(found, expected, what) {
  if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}`);
}
