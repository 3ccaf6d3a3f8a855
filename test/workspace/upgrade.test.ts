import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "libsql";
import { expect, it } from "vitest";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { reportNames } from "../../src/report/report-name.ts";
import { openSqlite } from "../../src/state/sqlite.ts";
import { openTemplate, openWarehouse } from "../../src/workspace/warehouse.ts";
import { databases, earlierVersions, earlierWorld, placeEarlierData } from "../support/earlier-version.ts";
import { isAll, itEachSampled } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { type Figures, publishedFigures, type Setup, setUp, trueFigures } from "../support/service.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const dayMs = 24 * 3_600_000;

async function setUpOld(version: string): Promise<Setup & { figures: Figures }> {
  const setup = await setUp(earlierWorld);
  const { now, figures } = placeEarlierData(setup, version);
  setup.environment.VENUE_NOW = now.toISOString();
  // Its emulator had another address. Version 0.2 stored addresses as in the settings, here with a slash at the end.
  const state = new Database(join(setup.dataFolder, "state.db"));
  for (const table of ["collection", "export_job", "group_zone", "walk"])
    state.prepare(`update ${table} set service = ? || '/'`).run([setup.environment.VENUE_BASE_URL]);
  state.prepare("update status_notice set status_url = ?").run([setup.environment.VENUE_STATUS_URL]);
  state.close();
  return { ...setup, figures };
}

it.each(earlierVersions)("databases of %s get the schemas of new ones", async (version) => {
  const { dataFolder, environment } = await setUpOld(version);
  const readCore = async (warehouse: DuckDb) => {
    const schema = await warehouse.all(
      `select table_name, column_name, data_type, is_nullable, column_default from duckdb_columns()
      where schema_name = 'core' order by table_name, column_index`,
    );
    const sequences = await warehouse.all(
      "select sequence_name from duckdb_sequences() where schema_name = 'core' order by all",
    );
    warehouse.close();
    return [schema, sequences];
  };
  const upgraded = await openWarehouse({ path: join(dataFolder, "warehouse.duckdb") });
  expect(await readCore(upgraded)).toEqual(await readCore(await openTemplate()));

  for (const [path, migrations] of [
    [join(dataFolder, "state.db"), "state/data"],
    [join(String(environment.VENUE_HOME), "client.db"), "state/client"],
  ] as const)
    expect(readSchema(path, migrations)).toEqual(readSchema(join(createTempFolder(), "new.db"), migrations));
});

/** Returns the columns, keys and indexes of each table. */
function readSchema(path: string, migrations: string): unknown[] {
  const database = openSqlite(path, migrations);
  const names = database.all<{ name: string }>(
    "select name from sqlite_master where type = 'table' order by name",
  );
  const schema = names.map(({ name }) => ({
    name,
    columns: database.all("select * from pragma_table_info(?)", [name]),
    foreign: database.all("select * from pragma_foreign_key_list(?)", [name]),
    indexes: database.all(
      `select l.name, l."unique", i.name as column from pragma_index_list(?) as l, pragma_index_info(l.name) as i
      order by l.name, i.seqno`,
      [name],
    ),
  }));
  database.close();
  return schema;
}

itEachSampled(earlierVersions, 1)(
  "a data folder of %s gives the same rows and can be collected into",
  async (version) => {
    const setup = await setUpOld(version);
    const venue = async (...words: string[]) => {
      const { code, stderr, stdout } = await runVenue(words, setup);
      expect(code, stderr).toBe(0);
      return stdout;
    };
    expect(await venue("runs")).toMatch(/succeeded .* build[\s\S]*succeeded .* sync/);
    await venue("build");
    expect(readServices(setup)).toEqual([setup.environment.VENUE_BASE_URL]);
    expect(await publishedFigures(setup)).toEqual(setup.figures);
    expect(await findChangedTables(join(setup.dataFolder, "published"))).toEqual([]);

    const later = new Date(Date.parse(setup.environment.VENUE_NOW ?? "") + dayMs);
    setup.emulator.setNow(later);
    setup.environment.VENUE_NOW = later.toISOString();
    await venue("sync", "history", "status");
    await venue("build");
    expect(await publishedFigures(setup)).toEqual(trueFigures(setup.emulator.world, later));
    expect(await readPlannedNotices(setup)).toEqual([{ has_notices: true, without_end: 0 }]);
  },
);

function readServices({ dataFolder }: Setup): string[] {
  const state = openSqlite(join(dataFolder, "state.db"), "state/data");
  const tables = ["collection", "export_job", "group_zone", "walk"].map(
    (table) => `select service from ${table}`,
  );
  const services = state.all<{ service: string }>(tables.join(" union "));
  state.close();
  return services.map(({ service }) => service);
}

/** Dates of rules and openings may extend further than before. */
const extended = ["fact_rule_date", "fact_zone_opening"];

/** Lists tables in which rows of the first version, by its columns, are missing from the second one, or new in it. */
async function findChangedTables(published: string): Promise<string[]> {
  const database = await DuckDb.open();
  const files = readdirSync(join(published, "v000001"), { recursive: true, encoding: "utf8" });
  const tables = new Set(
    files
      .filter((file) => file.endsWith(".parquet"))
      .map((file) => (dirname(file) === "." ? file : `${file.split("/")[0]}/**/*.parquet`)),
  );
  const changed: string[] = [];
  for (const table of tables) {
    const read = (version: string) =>
      `read_parquet('${join(published, version, table)}', union_by_name = true, hive_partitioning = false)`;
    const columns = await database.all<{ column_name: string }>(`describe select * from ${read("v000001")}`);
    const list = columns.map(({ column_name }) => `"${column_name}"`).join(", ");
    const [before, after] = ["v000001", "v000002"].map((version) => `(select ${list} from ${read(version)})`);
    const isExtended = extended.some((name) => table.startsWith(name));
    const rows = await database.all(
      `from (${before} except all ${after}) ${isExtended ? "" : `union all from (${after} except all ${before})`}`,
    );
    if (rows.length > 0 && !table.startsWith("mart_info")) changed.push(table);
  }
  database.close();
  return changed;
}

/** Earlier versions did not store when planned notices were announced to end. */
async function readPlannedNotices({ dataFolder }: Setup) {
  const warehouse = await DuckDb.open({ path: join(dataFolder, "warehouse.duckdb") });
  const counted = await warehouse.all(
    `select count(*) > 0 as has_notices, count(*) filter (ends_at is null) as without_end
    from core.notice where type = 'planned'`,
  );
  warehouse.close();
  return counted;
}

itEachSampled(earlierVersions, 1)(
  "data published by %s is read correctly, or rejected with the next step",
  async (commit) => {
    const setup = await setUpOld(commit);
    const runHere = async (...words: string[]) => await runVenue(words, setup);
    const outdated =
      /^venue: The published data \(v000001\) was built by an older version of venue-analytics: it lacks .*\. Run `venue build` once, and read the version that it publishes\.$/m;
    const runAll = async (...words: string[]) => {
      for (const report of reportNames) {
        const { code, stderr } = await runHere("report", report, ...words);
        if (code !== 0) expect([report, code, stderr]).toEqual([report, 2, expect.stringMatching(outdated)]);
        if (report === "loads") expect(code).toBe(0);
      }
    };
    const count = `select count(*) || '/' || sum(duration_secs) as figures from fact_play`;
    const countAll = async () => (await runHere("query", count, "--format", "csv")).stdout;
    const before = await countAll();
    await runAll();
    expect((await runHere("publish", "--to", "copy")).code).toBe(0);
    const unbuilt = await runHere("check");
    expect([unbuilt.code, unbuilt.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^venue: The mart was built by another version of venue-analytics; .*Run `venue build` once, then check again\.$/m,
      ),
    ]);
    expect((await runHere("build")).code).toBe(0);
    expect((await runHere("check")).code).toBe(0);
    expect(await countAll()).toBe(before);
    if (!isAll) return;
    await runAll("--as-of", "v000001");
    for (const report of reportNames) expect((await runHere("report", report)).code, report).toBe(0);
  },
);

it.each(databases)("rejects a %s of a newer version and leaves it unchanged", async (name) => {
  const setup = await setUp(earlierWorld);
  expect((await runVenue(["sync", "devices"], setup)).code).toBe(0);
  const path = join(setup.dataFolder, name);
  const statement = "insert into migration (name, sha256) values ('9999_later.sql', 'x')";
  if (name === "state.db") {
    const state = openSqlite(path, "state/data");
    state.run(statement);
    state.close();
  } else {
    const warehouse = await DuckDb.open({ path });
    await warehouse.run(statement);
    warehouse.close();
  }
  const before = readFileSync(path);
  const { code, stderr } = await runVenue(["build"], setup);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(`${name} has the schema step 9999_later.sql, .* newer`),
  ]);
  expect(readFileSync(path).equals(before)).toBe(true);
});

it("rejects a client.db of a newer version and leaves it unchanged", async () => {
  const setup = await setUp(earlierWorld);
  expect((await runVenue(["sync", "devices"], setup)).code).toBe(0);
  const path = join(String(setup.environment.VENUE_HOME), "client.db");
  const state = openSqlite(path, "state/client");
  state.run("insert into migration (name, sha256) values ('9999_later.sql', 'x')");
  const before = state.all("select * from token");
  state.close();
  const { code, stderr } = await runVenue(["sync", "devices"], setup);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/client\.db has the schema step 9999_later\.sql, .* newer .*another VENUE_HOME/),
  ]);
  const database = new Database(path);
  expect(database.prepare("select * from token").all([])).toEqual(before);
  database.close();
});

it.each([
  [
    "of a version before 0.2.0",
    33,
    /has the schema step 0033_x\.sql, of a version before 0\.2\.0\. .* version 0\.2\.0/,
  ],
  [
    "from between releases",
    35,
    /has the schema step 0035_x\.sql, of a version that was never released\. .*another VENUE_DATA_DIR/,
  ],
])("rejects a warehouse %s and leaves it unchanged", async (_label, step, message) => {
  const setup = await setUpOld("0.2.0");
  const path = join(setup.dataFolder, "warehouse.duckdb");
  const warehouse = await DuckDb.open({ path });
  await warehouse.run(`delete from main.migration where name > '00${step}'`);
  await warehouse.run(`insert into main.migration values ('00${step}_x.sql', 'x')`);
  warehouse.close();
  const before = readFileSync(path);
  for (const command of ["build", "doctor"]) {
    const { code, stdout, stderr } = await runVenue([command], setup);
    expect([code, stdout + stderr]).toEqual([2, expect.stringMatching(message)]);
  }
  expect(readFileSync(path).equals(before)).toBe(true);
});

it("rejects a state.db of a version before 0.2.0 and leaves it unchanged", async () => {
  const setup = await setUpOld("0.2.0");
  const path = join(setup.dataFolder, "state.db");
  const state = new Database(path);
  state.exec("delete from migration where name > '0003'");
  state.close();
  const before = readFileSync(path);
  const { code, stderr } = await runVenue(["build"], setup);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/state\.db has the schema step .* before 0\.2\.0\./),
  ]);
  expect(readFileSync(path).equals(before)).toBe(true);
});
