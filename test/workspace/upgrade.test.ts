import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { expect, it } from "vitest";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { reportNames } from "../../src/report/report-name.ts";
import { openSqlite } from "../../src/state/sqlite.ts";
import {
  databases,
  earlierVersions,
  earlierWorld,
  placeEarlierData,
  unreleasedCommit,
} from "../support/earlier-version.ts";
import { itEachSampled } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { type Figures, publishedFigures, type Setup, setUp, trueFigures } from "../support/service.ts";

const dayMs = 24 * 3_600_000;

async function setUpOld(commit: string): Promise<Setup & { figures: Figures }> {
  const setup = await setUp(earlierWorld);
  const { now, figures } = placeEarlierData(setup, commit);
  setup.environment.VENUE_NOW = now.toISOString();
  // Its emulator had another address, but the same service knows which notices have been collected.
  const state = new Database(join(setup.dataFolder, "state.db"));
  const hasNotices = state.prepare("select name from sqlite_master where name = 'status_notice'").get([]);
  if (hasNotices)
    state.prepare("update status_notice set status_url = ?").run([setup.environment.VENUE_STATUS_URL]);
  state.close();
  return { ...setup, figures };
}

it("has data folders of several versions", () => {
  expect(earlierVersions.length).toBeGreaterThanOrEqual(5);
});

itEachSampled(earlierVersions, 0)(
  "a data folder of %s gives the same figures and can be collected into",
  async (commit) => {
    const setup = await setUpOld(commit);
    const venue = async (...words: string[]) => {
      const { code, stderr, stdout } = await runVenue(words, setup);
      expect(code, stderr).toBe(0);
      return stdout;
    };
    expect(await venue("runs")).toMatch(/succeeded .* build[\s\S]*succeeded .* sync/);
    await venue("build");
    expect(await publishedFigures(setup)).toEqual(setup.figures);

    const later = new Date(Date.parse(setup.environment.VENUE_NOW ?? "") + dayMs);
    setup.emulator.setNow(later);
    setup.environment.VENUE_NOW = later.toISOString();
    await venue("run");
    expect(await publishedFigures(setup)).toEqual(trueFigures(setup.emulator.world, later));
    expect(await readPlannedNotices(setup)).toEqual([{ has_notices: true, without_end: 0 }]);
  },
);

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
    expect.stringMatching(`${name} holds the schema step 9999_later.sql, .* newer`),
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
    expect.stringMatching(/client\.db holds the schema step 9999_later\.sql, .* newer .*another VENUE_HOME/),
  ]);
  const database = new Database(path);
  expect(database.prepare("select * from token").all([])).toEqual(before);
  database.close();
});

it("rejects a data folder from between releases and leaves it unchanged", async () => {
  const setup = await setUpOld(unreleasedCommit);
  const contents = () =>
    databases.map((name) => readFileSync(join(setup.dataFolder, name)).toString("base64"));
  const before = contents();
  const { code, stderr } = await runVenue(["build"], setup);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/The schema step 0001_state\.sql in \S*state\.db differs/),
  ]);
  expect(contents()).toEqual(before);
});
