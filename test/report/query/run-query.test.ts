import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { runQuery } from "../../../src/report/query/run-query.ts";
import { VenueError } from "../../../src/util/venue-error.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { tempPrefix } from "../../support/temp-folder.ts";
import { generatePlays, publishedWorld } from "../plays-world.ts";

const plays = generatePlays().slice(0, 200);
let folder: string;
let mart: PublishedMart;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), tempPrefix));
  await publishFixture(folder, publishedWorld("v000001", plays));
  writeFileSync(join(folder, "secret.txt"), "secret");
  mart = await openPublished(folder, { threads: 1, tempDir: join(folder, "tmp") });
});
afterAll(() => {
  mart.close();
  rmSync(folder, { recursive: true });
});

async function query(sql: string): Promise<{ columns: string[]; rows: unknown[][] }> {
  const { columns, rows } = await runQuery(mart, sql);
  const read: unknown[][] = [];
  for await (const row of rows) read.push([...row]);
  return { columns: columns.map(({ name, type }) => `${name} ${type}`), rows: read };
}

async function failure(sql: string): Promise<VenueError> {
  const error = await query(sql).catch((caught: unknown) => caught);
  if (error instanceof VenueError) return error;
  throw new Error(
    `expected a VenueError, got ${error instanceof Error ? error.stack : JSON.stringify(error)}`,
  );
}

describe("results", () => {
  it("reads published tables", async () => {
    const { columns, rows } = await query(
      "select kind, count(*) as plays from fact_play group by kind order by kind",
    );
    expect(columns).toEqual(["kind text", "plays integer"]);
    expect(rows).toEqual(
      ["messaging", "music", "signage"].map((kind) => [
        kind,
        plays.filter((play) => play.kind === kind).length,
      ]),
    );
  });

  it("writes instants with a Z and local times without", async () => {
    const { columns, rows } = await query(
      "select played_at, played_at_local, max(played_at) over () as latest, date from fact_play order by 1 limit 1",
    );
    expect(columns).toEqual([
      "played_at instant",
      "played_at_local local_time",
      "latest instant",
      "date date",
    ]);
    const [first] = plays
      .map(({ local, offsetMinutes }) => Date.parse(`${local}Z`) - offsetMinutes * 60_000)
      .sort();
    expect(rows[0]?.[0]).toBe(new Date(first ?? 0).toISOString().replace(".000", ""));
    expect(rows[0]?.[1]).toMatch(/^2026-10-12T\d\d:\d\d:\d\d$/);
  });

  it.each([
    ["timestamptz '2026-01-01 12:00:00.250+02'", "instant", "2026-01-01T10:00:00.25Z"],
    ["9007199254740993::bigint", "integer", 9_007_199_254_740_993n],
    ["1.5::decimal(4,2)", "number", 1.5],
    ["12345678901234567.89::decimal(19,2)", "number", "12345678901234567.89"],
    ["-0.1234567890123456789::decimal(38,19)", "number", "-0.1234567890123456789"],
    ["0.000000000000000000123456789012345::decimal(38,33)", "number", 1.23456789012345e-19],
    ["true", "boolean", true],
    ["null", "integer", null],
    ["[1, 2]", "text", "[1,2]"],
    ["interval 90 minute", "text", "01:30:00"],
    ["time '10:00'", "text", "10:00:00"],
  ])("%s is %s", async (expression, type, value) => {
    const { columns, rows } = await query(`select ${expression} as it`);
    expect(columns).toEqual([`it ${type}`]);
    expect(rows).toEqual([[value]]);
  });

  it("writes instants in UTC in any time zone of this process", async () => {
    const dist = new URL("../../../dist/report/", import.meta.url);
    const script = `
      import { openPublished } from "${dist}published/open-published.js";
      import { runQuery } from "${dist}query/run-query.js";
      const mart = await openPublished(process.argv[1]);
      const { rows } = await runQuery(mart, "select timestamptz '2026-07-01 10:00:00+00' as a, max(played_at) as played_at from fact_play");
      for await (const row of rows) console.log(row.join());`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "-e", script, folder],
      { env: { ...process.env, TZ: "America/New_York" } },
    );
    const newest = Math.max(
      ...plays.map(({ local, offsetMinutes }) => Date.parse(`${local}Z`) - offsetMinutes * 60_000),
    );
    expect(stdout).toBe(`2026-07-01T10:00:00Z,${new Date(newest).toISOString().replace(".000", "")}\n`);
  });

  it.each([
    ["from dim_kind"],
    ["with k as (select kind from dim_kind) select * from k;"],
    ["values (1), (2)"],
    ["describe fact_play"],
    ["show tables"],
    ["summarize dim_zone"],
    ["table dim_kind"],
    ["select * from range(3)"],
    ["select unnest([1, 2])"],
    ["(select 1) union all (select 2) -- two"],
    ["select * from information_schema.tables"],
  ])("accepts %s", async (sql) => {
    expect((await query(sql)).rows.length).toBeGreaterThan(0);
  });

  it("gives columns unique names", async () => {
    expect((await query("select 1 as a, 2 as a")).columns).toEqual(["a integer", "a:1 integer"]);
  });

  it("streams the first rows of a huge result before the last are computed", async () => {
    const { rows } = await runQuery(mart, "select range as n, repeat('x', 100) from range(1000000000000)");
    let read = 0;
    for await (const [n] of rows) {
      expect(n).toBe(read);
      read += 1;
      if (read === 5000) break;
    }
    expect(read).toBe(5000);
    // The abandoned query does not burden the next.
    expect((await query("select count(*) from dim_kind")).rows).toEqual([[3]]);
  });

  it("spills to disk beyond its memory, still confined", async () => {
    const small = await openPublished(folder, {
      threads: 1,
      memoryLimit: "60MB",
      tempDir: join(folder, "tmp"),
    });
    try {
      const { rows } = await runQuery(
        small,
        "select hash(range) as h, range::varchar as t from range(2000000) order by h limit 1 offset 1999999",
      );
      let count = 0;
      for await (const _row of rows) count += 1;
      expect(count).toBe(1);
    } finally {
      small.close();
    }
  });
});

describe("confinement", () => {
  it.each([
    ["select * from read_csv('/etc/passwd')"],
    ["select * from read_text('FOLDER/secret.txt')"],
    ["select * from read_text('FOLDER/v000001/../secret.txt')"],
    ["select * from read_blob('/etc/hostname')"],
    ["select * from read_json('/etc/hostname')"],
    ["select * from read_parquet('FOLDER/v000001/dim_kind.parquet')"],
    ["from '/etc/passwd'"],
    ["from 'FOLDER/secret.txt'"],
    ["from 'https://example.com/a.parquet'"],
    ["select * from glob('/etc/*')"],
    ["select (select count(*) from glob('/etc/*'))"],
    ["values ((select count(*) from glob('/etc/*')))"],
    ["with f as (from read_text('/etc/hostname')) select * from f"],
    ["select * from dim_kind where kind in (select content from read_text('/etc/hostname'))"],
    ["select * from dim_kind, lateral (from read_text('/etc/hostname'))"],
    ["from sniff_csv('/etc/passwd')"],
    ["from query('from read_text(''/etc/hostname'')')"],
    ["from query_table('dim_kind')"],
    ["from json_execute_serialized_sql(json_serialize_sql('select 1'))"],
    ["from enable_logging('file', storage_path = 'FOLDER/logs')"],
    ["from main.enable_logging()"],
    ["from parquet_metadata('FOLDER/v000001/dim_kind.parquet')"],
    ["from duckdb_settings()"],
    ["from duckdb_secrets()"],
    ["select getenv('HOME')"],
    ["copy (select 1) to 'FOLDER/out.csv'"],
    ["copy (select 1) to 'FOLDER/v000001/out.csv'"],
    ["copy dim_kind from '/etc/passwd'"],
    ["export database 'FOLDER/out'"],
    ["attach 'FOLDER/out.db'"],
    ["detach memory"],
    ["install httpfs"],
    ["load httpfs"],
    ["pragma database_list"],
    ["call pragma_version()"],
    ["set threads = 1"],
    ["set enable_external_access = true"],
    ["reset lock_configuration"],
    ["create table t as select 1"],
    ["create or replace view dim_kind as select 1"],
    ["drop view dim_kind"],
    ["insert into dim_kind values ('x')"],
    ["delete from dim_kind"],
    ["update dim_kind set kind = 'x'"],
    ["explain analyze copy (select 1) to 'FOLDER/out.csv'"],
    ["prepare p as select 1"],
    ["begin"],
    ["vacuum"],
    ["select 1; select 2"],
    ["select 1; copy (select 1) to 'FOLDER/out.csv'"],
    ["select ?"],
    [""],
    ["-- nothing"],
  ])("refuses %s", async (sql) => {
    const error = await failure(sql.replaceAll("FOLDER", folder));
    expect(error.category).toBe("usage");
    expect(error.message).not.toContain("secret\n");
    expect(["out.csv", "out", "out.db", "logs"].filter((name) => existsSync(join(folder, name)))).toEqual([]);
    expect(existsSync(join(folder, "v000001", "out.csv"))).toBe(false);
    // Nothing has changed.
    expect((await query("select count(*) from dim_kind")).rows).toEqual([[3]]);
    expect(readFileSync(join(folder, "secret.txt"), "utf8")).toBe("secret");
  });

  it("confines DuckDB even if the query check accepts", async () => {
    for (const sql of [
      "select * from read_csv('/etc/passwd')",
      `select * from read_text('${folder}/secret.txt')`,
      `copy (select 1) to '${folder}/out.csv'`,
      "set enable_external_access = true",
    ]) {
      await expect(mart.all(sql)).rejects.toThrow(/disabled by configuration|configuration has been locked/);
    }
  });
});
