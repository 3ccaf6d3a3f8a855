import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { isSoak } from "../../support/long-suite.ts";
import { setNow } from "../../support/service.ts";
import { onTrino } from "../support/on-trino.ts";
import { SharedLake } from "./shared-lake.ts";

const dayMs = 86_400_000;
const quarterHour = 900_000;
const hour = 3_600_000;
/** Three nodes on two cores take minutes for each build: `make test-trino TESTS=soak`. */
const onTrinoInSoak = isSoak ? onTrino : it.skip;
/** Four tables that contain the same number of plays in every version. */
const oneMart = `
  select i.version, p.plays, d.plays as by_day, z.plays as by_zone, h.plays as by_hour
  from mart_info as i
  cross join (select count(*) as plays from fact_play) as p
  cross join (select cast(sum(plays) as bigint) as plays from fact_play_day) as d
  cross join (select cast(sum(plays) as bigint) as plays from fact_play_zone_day) as z
  cross join (select cast(sum(plays) as bigint) as plays from fact_play_zone_hour) as h`;

let shared: SharedLake;
beforeAll(async () => {
  const installation = inject("installation");
  if (!installation || !isSoak) return;
  shared = await SharedLake.open(installation, { workers: 2 });
  await shared.fill(5_000);
  await build();
}, 1_800_000);
afterAll(() => shared?.close(), 60_000);

onTrinoInSoak(
  "a build that is killed or loses a worker shows readers nothing; the next one shows everything",
  async () => {
    const before = await readMart();
    const reader = readUntilStopped();
    try {
      await publishLaterDay();
      for (const step of ["filled core.play", "built mart.fact_play_day", "built mart.mart_info"]) {
        await shared.buildUntil(step, (child) => child.kill("SIGKILL"));
      }
      expect(await readMart()).toEqual(before);
      const { code, stderr } = await shared.buildUntil("built mart.fact_play ", () =>
        shared.cluster.killWorker(),
      );
      // It continued without the worker, or reported its loss.
      if (code !== 0) expect(stderr).toMatch(/^venue: Trino query \w+ failed with \w+: .*run this again/ms);
      await build();
    } finally {
      await reader.stop();
    }
    const after = await readMart();
    expect(after.plays).toBeGreaterThan(before.plays);
    expect(reader.seen.length).toBeGreaterThan(5);
    for (const mart of reader.seen)
      expect([mart.by_day, mart.by_zone, mart.by_hour]).toEqual(Array(3).fill(mart.plays));
    const versions = new Map(reader.seen.map(({ version, plays }) => [`${version} ${plays}`, version]));
    expect(versions.size, "one number of plays per version").toBe(new Set(versions.values()).size);
    const full = await shared.onTrino.run("build", "--lake", shared.lake, "--full");
    expect(full.stdout).toContain("0 restated");
    expect((await readMart()).plays).toBe(after.plays);
  },
  hour,
);

onTrinoInSoak(
  "a restarted coordinator is one clear error, and the next build completes",
  async () => {
    await publishLaterDay();
    const { code, stderr } = await shared.buildUntil("built mart.fact_play ", () =>
      shared.cluster.restartCoordinator(),
    );
    if (code !== 0) {
      expect(code).toBe(3);
      expect(stderr).toMatch(/run this again/i);
    }
    await build();
  },
  quarterHour,
);

onTrinoInSoak(
  "a failed check leaves the published version, and names the place to look",
  async () => {
    const before = await readMart();
    await publishLaterDay();
    const [machine] = shared.machines;
    if (!machine) throw new Error("the lake has no machine");
    const warehouse = await DuckDb.open({ path: join(machine.setup.dataFolder, "warehouse.duckdb") });
    await warehouse.run("update core.load set lines = lines + 1");
    warehouse.close();
    await shared.publishAs(machine, "machine-1");
    const { code, stdout } = await shared.onTrino.try("build", "--lake", shared.lake);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Not published: a check found errors in v\d+\. .*the catalog venue_build shows/);
    expect(await readMart()).toEqual(before);
  },
  quarterHour,
);

interface MartRow {
  version: string;
  plays: number;
  by_day: number;
  by_zone: number;
  by_hour: number;
}

async function readMart(): Promise<MartRow> {
  const { stdout } = await shared.onTrino.run("query", oneMart, "--format", "json");
  return JSON.parse(stdout)[0];
}

function readUntilStopped(): { seen: MartRow[]; stop(): Promise<void> } {
  const seen: MartRow[] = [];
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      // A query running on the killed worker fails; it never returns a wrong number.
      const { code, stdout, stderr } = await shared.onTrino.try("query", oneMart, "--format", "json");
      if (code === 0) seen.push(JSON.parse(stdout)[0]);
      else expect(stderr).toMatch(/run this again/i);
    }
  })();
  return {
    seen,
    stop: async () => {
      isOver = true;
      await reading;
    },
  };
}

async function build(): Promise<void> {
  await shared.onTrino.run("build", "--lake", shared.lake);
}

async function publishLaterDay(): Promise<void> {
  setNow(shared.world, new Date(shared.world.emulator.now().getTime() + dayMs));
  for (const machine of shared.machines) await machine.run("sync");
  await shared.publish();
}
