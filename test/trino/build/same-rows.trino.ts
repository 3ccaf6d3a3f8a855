import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished } from "vitest";
import { listChecks } from "../../../src/build/run-checks.ts";
import { listTableModels } from "../../../src/build/trino/core-tables.ts";
import { Settings } from "../../../src/config/settings.ts";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { TrinoEngine } from "../../../src/engines/trino/trino-engine.ts";
import { footfallColumns } from "../../../src/load/reference/footfall.ts";
import { catalog } from "../../../src/report/catalog/catalog.ts";
import {
  listDimensions,
  listVariants,
  type ReportEntry,
  takesPeriod,
} from "../../../src/report/catalog/report-entry.ts";
import { reportNames } from "../../../src/report/report-name.ts";
import { serve as startPages } from "../../../src/serve/serve.ts";
import { silentLogger } from "../../../src/util/logger.ts";
import { isAll } from "../../support/long-suite.ts";
import { setNow } from "../../support/service.ts";
import { onStoreInAll, onTrinoInAll } from "../support/on-trino.ts";
import { type Engines, findDifference } from "./compare-tables.ts";
import { testCustomFiles, writeCustomFiles } from "./custom-files.ts";
import { TrinoWorld } from "./trino-world.ts";

/** `TESTS=all make test-trino PLAYS=5000000 WORKERS=2` for a chain's plays of two months, on a cluster of three. */
const plays = Number(process.env.PLAYS || 20_000);
const workers = Number(process.env.WORKERS || 0);

let shared: TrinoWorld;
let engines: Engines;

beforeAll(async () => {
  const installation = inject("installation");
  if (!(installation && isAll)) return;
  shared = await TrinoWorld.open(installation, workers);
  const { here, cluster } = shared;
  bookPlays();
  writeCustomFiles(shared);
  await shared.fill(plays);
  await logSeconds("DuckDB builds", () => here.run("build"));
  await logSeconds("DuckDB publishes core", () => shared.publish());
  await logSeconds("Trino builds", () => shared.build());
  engines = {
    ...{ bucket: shared.bucket, location: shared.location, duckDb: await openWarehouse() },
    trino: new TrinoEngine({ url: cluster.url, user: "tester", catalog: "venue_mart", logger: silentLogger }),
  };
}, 7_200_000);
afterAll(async () => {
  engines?.duckDb.close();
  engines?.trino.close();
  await shared?.close();
}, 60_000);

/** Until it is closed, the program can't use it. */
async function openWarehouse(): Promise<DuckDb> {
  const path = join(shared.here.setup.dataFolder, "warehouse.duckdb");
  return await DuckDb.open({ path, readOnly: true });
}

/** Books plays and impressions for campaigns, and people near all screens. */
function bookPlays(): void {
  const folder = join(shared.here.setup.dataFolder, "reference");
  mkdirSync(folder, { recursive: true });
  const lines = [1, 2, 3, 4, 5, 6, 7].flatMap((id) => [
    `signage,${id},2025-01-01,2027-12-31,${id}0000,,0.95,${id}0000`,
    `messaging,${id},,,,${id}.25,,`,
  ]);
  const header = "kind,campaign_id,valid_from,valid_to,plays,plays_per_zone_day,compliance,impressions";
  writeFileSync(join(folder, "campaign_targets.csv"), [header, ...lines].join("\n"));
  const days = [1, 2, 3, 4, 5, 6, 7];
  const people = Array.from({ length: 200 }, (_, id) =>
    days.map((day) => `,${4101 + id},${day},07:00,20:30,${day}0.125,,45,door counter`),
  );
  writeFileSync(join(folder, "footfall.csv"), [footfallColumns.join(), ...people.flat()].join("\n"));
}

/** Wall-clock time, for docs/scale.md. */
async function logSeconds(what: string, act: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await act();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(
    `${plays.toLocaleString("en")} plays more, ${workers} workers: ${what} in ${seconds} s\n`,
  );
}

onTrinoInAll.each(listTableModels().map(({ name }) => name))("%s", async (table) => {
  expect(await findDifference(engines, table)).toBeUndefined();
});

onTrinoInAll("every table that a build fills has rows to compare", async () => {
  const { count } = await engines.duckDb.get<{ count: number }>(
    "select count(*) as count from mart.fact_play",
  );
  expect(count).toBeGreaterThan(plays);
  for (const table of [
    "fact_campaign_zone_day",
    "dim_campaign_target",
    "fact_impression_hour",
    "fact_device_day",
    "fact_outage",
    "dim_notice",
    "fact_snapshot",
  ]) {
    expect(await engines.duckDb.find(`select 1 from mart.${table} limit 1`), table).toBeDefined();
  }
});

onTrinoInAll("every check has the same result", async () => {
  engines.duckDb.close();
  const found = await checksOf("here");
  expect(found.map(({ name }) => name)).toEqual(listChecks().map(({ name }) => name));
  expect(await checksOf("onTrino")).toEqual(found);
});

onTrinoInAll("venue doctor reports the cluster", async () => {
  const { checks } = JSON.parse((await shared.onTrino.try("doctor", "--json")).stdout);
  const details = (checks as { part: string; ok: boolean; detail: string }[])
    .filter(({ part }) => part === "Trino" || part === "Nessie")
    .map(({ ok, detail }) => [ok, detail]);
  expect(details).toEqual([
    [true, "476 responds, and has the catalogs venue_core, venue_build, venue_mart"],
    [true, "responds, and shows v000001"],
  ]);
});

describe("venue report", () => {
  /** With millions of plays, as many as fit in one string. */
  const oneDay = ["--from", "2025-11-20", "--to", "2025-11-20"];
  const always = ["--from", "2025-10-01", "--to", "2026-12-31"];
  const periodOf = (report: ReportEntry, isLong = false) => {
    // A schedule looks ahead, for days that follow from the data.
    if (!takesPeriod(report) || report.isAhead) return [];
    return isLong && plays > 1e6 ? oneDay : always;
  };
  const csv = ["--format", "csv"];
  const shipped = reportNames.map((name) => [name, catalog[name]] as const);
  const asked = shipped.flatMap(([name, report]) => {
    if (name === "single-plays") return [[name, ...csv, ...periodOf(report, true)]];
    const byAll = listVariants(report).flatMap((rows) => {
      const words = "dimensions" in rows ? Object.keys(rows.dimensions) : [];
      return words.length > 1 ? [[name, ...csv, "--by", words.join(), ...periodOf(report, true)]] : [];
    });
    return [[name, "--format", "html", ...periodOf(report)], ...byAll];
  });
  // Grouping by all words at once shows the value of each.
  const askedByWord = shipped.flatMap(([name, report]) =>
    listDimensions(report).map((word) => [name, ...csv, "--by", word, ...periodOf(report)]),
  );
  const titled = (all: string[][]) => all.map((words) => ({ words, text: words.join(" ") }));
  onTrinoInAll.each(titled([...asked, ...askedByWord]))("$text", showsSame);

  async function showsSame({ words }: { words: string[] }): Promise<void> {
    const { stdout } = await shared.here.run("report", ...words);
    const { stdout: there } = await shared.onTrino.run("report", ...words);
    // Single plays are unsorted, so that even millions appear immediately.
    const hasOrder = words[0] !== "single-plays";
    expect(hasOrder ? there : there.split("\n").sort()).toEqual(
      hasOrder ? stdout : stdout.split("\n").sort(),
    );
  }

  onTrinoInAll("compliance --explain", async () => {
    const cell = `select campaign_key, zone_id, date from fact_campaign_zone_day order by 3, 2, 1 limit 1`;
    const { stdout } = await shared.here.run("query", cell, "--format", "json");
    const [{ campaign_key: key, zone_id: zone, date }] = JSON.parse(stdout);
    const words = ["report", "compliance", "--explain", "--format", "json"];
    const place = ["--campaign", String(Math.floor(key / 4)), "--zone", String(zone), "--date", date];
    const explained = await shared.here.run(...words, ...place);
    expect((await shared.onTrino.run(...words, ...place)).stdout).toBe(explained.stdout);
  });
});

onTrinoInAll("venue serve shows the same pages and rows", async () => {
  const [here, there] = [await serve("here"), await serve("onTrino")];
  const period = "from=2025-10-01&to=2026-12-31";
  for (const path of [
    `/plays.csv?by=zone,kind&${period}`,
    `/compliance.json?by=campaign&${period}&compare=before`,
    `/uptime.csv?by=device&${period}`,
    "/devices.csv",
  ])
    expect([path, await readPath(there, path)]).toEqual([path, await readPath(here, path)]);
  for (const path of ["/", `/plays?by=zone&${period}`, `/compliance?by=campaign&${period}`, "/quality"])
    expect([path, tablesOf(await readPath(there, path))]).toEqual([
      path,
      tablesOf(await readPath(here, path)),
    ]);
});

async function serve(where: "here" | "onTrino"): Promise<string> {
  const { workingFolder, environment } = shared[where].setup;
  const settings = new Settings({ flags: {}, environment, workingFolder });
  const now = () => new Date(environment.VENUE_NOW ?? "");
  const server = await startPages({
    settings,
    now,
    logger: silentLogger,
    host: "127.0.0.1",
    port: 0,
    withoutToken: true,
  });
  onTestFinished(async () => await server.close());
  return server.origin;
}

async function readPath(origin: string, path: string): Promise<string> {
  const answer = await fetch(origin + path);
  expect([path, answer.status]).toEqual([path, 200]);
  return await answer.text();
}

/** The sentences and tables of a page, without parts that differ by machine. */
function tablesOf(page: string): string[] {
  return page.match(/<p class="headline">.*?<\/p>|<table data-rows>[\s\S]*?<\/table>/g) ?? [];
}

testCustomFiles(() => shared);

describe("a later day", () => {
  const period = ["--from", "2025-10-01", "--to", "2026-12-31"];
  const report = async (where: "here" | "onTrino", ...words: string[]) =>
    (await shared[where].run("report", "plays", "--by", "zone", ...period, ...words)).stdout;
  let before: string;
  beforeAll(async () => {
    if (!(inject("installation") && isAll)) return;
    before = await report("onTrino");
    setNow(shared.world, new Date(shared.world.emulator.now().getTime() + 86_400_000));
    engines.duckDb.close();
    await shared.here.run("sync");
    await shared.publish();
  }, 600_000);

  onStoreInAll(
    "a store that fails during a build is one clear error",
    async () => {
      const { gateway } = shared;
      const { code, stderr } = await shared.buildUntil("built staging.", () => gateway?.kill());
      expect(code, stderr).toBe(3);
      expect(stderr.match(/^venue: /gm)?.length, stderr).toBe(1);
      expect(stderr).toMatch(/^venue: Trino query \w+ failed with [\s\S]*Check the store and Nessie, and/m);
      await gateway?.restart();
      expect(await report("onTrino")).toBe(before);
    },
    3_600_000,
  );

  onTrinoInAll(
    "a failed check leaves the published version, and names the place to look",
    async () => {
      const warehouse = async (sql: string) => {
        const opened = await DuckDb.open({ path: join(shared.here.setup.dataFolder, "warehouse.duckdb") });
        await opened.run(sql);
        opened.close();
        await shared.publish();
      };
      await warehouse("update core.load set lines = lines + 1");
      const { code, stdout } = await shared.onTrino.try("build", "--from", shared.store);
      expect(code).toBe(1);
      expect(stdout).toMatch(/Not published: a check found errors in v\d+\. .*the catalog venue_build shows/);
      await warehouse("update core.load set lines = lines - 1");
      expect(await report("onTrino")).toBe(before);
    },
    3_600_000,
  );

  onTrinoInAll(
    "a killed build shows nothing, and the next one shows everything",
    async () => {
      const { here, onTrino: builder } = shared;
      await shared.buildUntil("built mart.fact_play ", (child) => child.kill("SIGKILL"));
      expect(await report("onTrino")).toBe(before);
      await logSeconds("Trino builds a later day", () => shared.build());
      const after = await report("onTrino");
      expect(after).not.toBe(before);
      expect(await report("onTrino", "--as-of", "v000001")).toBe(before);
      expect((await builder.try("status")).stdout).toMatch(/^Versions:\n {2}v000002 .*\n {2}v000001 .*$/m);
      await here.run("build");
      expect(await report("here")).toBe(after);
      engines.duckDb = await openWarehouse();
      for (const { name } of listTableModels())
        expect(await findDifference(engines, name), name).toBeUndefined();
    },
    3_600_000,
  );
});

async function checksOf(where: "here" | "onTrino"): Promise<{ name: string; failing_rows: number }[]> {
  const { stdout } = await shared[where].try("check", "--json");
  const { checks }: { checks: { name: string; failing_rows: number; file?: string }[] } = JSON.parse(stdout);
  const shipped = checks.filter(({ file }) => file === undefined);
  return shipped.map(({ name, failing_rows }) => ({ name, failing_rows }));
}
