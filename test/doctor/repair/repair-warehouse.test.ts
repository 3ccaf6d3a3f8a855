import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { earlierVersions, earlierWorld, placeEarlierData } from "../../support/earlier-version.ts";
import { isAll, itEachSampled, itInAll, itInSoak } from "../../support/long-suite.ts";
import { runVenue } from "../../support/run-venue.ts";
import {
  type Figures,
  publishedFigures,
  type Setup,
  setUp,
  setUpIn,
  trueFigures,
} from "../../support/service.ts";
import { createTempFolder, tempPrefix } from "../../support/temp-folder.ts";

let world: Setup;
let truth: Figures;

beforeAll(async () => {
  world = await setUpIn(mkdtempSync(join(tmpdir(), tempPrefix)), { days: 5, zones: 3, playScale: 0.3 });
  // `make test` runs no test that needs it.
  if (isAll) await collectAndBuild(world, "export");
  truth = trueFigures(world.emulator.world, world.emulator.now());
});
afterAll(async () => {
  await world.emulator.close();
  rmSync(world.workingFolder, { recursive: true, force: true });
});

async function collectAndBuild(setup: Setup, mode: "export" | "walk"): Promise<void> {
  for (const words of [["sync", "--mode", mode], ["build"]]) {
    const { code, stderr } = await runVenue(words, setup);
    expect(code, stderr).toBe(0);
  }
}

interface Machine extends Setup {
  warehouse: string;
}

function copyMachine(): Machine {
  const workingFolder = createTempFolder();
  const dataFolder = join(workingFolder, "data");
  cpSync(world.dataFolder, dataFolder, { recursive: true, verbatimSymlinks: true });
  const environment = { ...world.environment, VENUE_HOME: join(workingFolder, "home") };
  return {
    ...world,
    workingFolder,
    dataFolder,
    environment,
    warehouse: join(dataFolder, "warehouse.duckdb"),
  };
}

async function repair(machine: Machine): Promise<string[]> {
  const { stdout } = await runVenue(["doctor", "--repair", "--json"], machine);
  const { repairs, checks } = JSON.parse(stdout);
  expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
  return repairs;
}

async function inWarehouse<Result>(
  { warehouse }: Machine,
  body: (database: DuckDb) => Promise<Result>,
): Promise<Result> {
  const database = await DuckDb.open({ path: warehouse });
  try {
    return await body(database);
  } finally {
    database.close();
  }
}

/** Published figures are true, and remain so after another run. */
async function expectWhole(machine: Machine): Promise<void> {
  expect(await publishedFigures(machine)).toEqual(truth);
  await collectAndBuild(machine, "export");
  expect(await publishedFigures(machine)).toEqual(truth);
}

itInAll("rebuilds a mart that lacks tables", async () => {
  const machine = copyMachine();
  await inWarehouse(machine, (database) =>
    database.run("drop table mart.fact_play_day; drop table mart.dim_item"),
  );
  expect(await repair(machine)).toEqual([
    expect.stringMatching(
      /^rebuilt the mart \(mart\.dim_item, mart\.fact_play_day missing or unreadable\), and published it as v000002$/,
    ),
  ]);
  expect(await repair(machine)).toEqual([]);
  await expectWhole(machine);
});

itInAll("rebuilds a damaged mart from loaded data", async () => {
  const machine = copyMachine();
  const before = await inWarehouse(machine, findCounts);
  damageBlock(machine.warehouse, await inWarehouse(machine, findMartBlock));
  const done = await repair(machine);
  expect(done).toEqual([
    expect.stringMatching(/^kept the damaged .*warehouse\.duckdb as .*warehouse\.duckdb\.damaged-\w+$/),
    expect.stringMatching(/^rebuilt the mart \((mart|staging)\.\w+ missing or unreadable\), and published/),
  ]);
  const after = await inWarehouse(machine, findCounts);
  expect(after).toEqual(before);
  expect(asides(machine)).toHaveLength(1);
  await expectWhole(machine);
});

itEachSampled(earlierVersions.toReversed(), 1)("rebuilds the damaged mart of %s", async (commit) => {
  const setup = await setUp(earlierWorld);
  const { now, figures } = placeEarlierData(setup, commit);
  setup.environment.VENUE_NOW = now.toISOString();
  const machine: Machine = { ...setup, warehouse: join(setup.dataFolder, "warehouse.duckdb") };
  chmodSync(String(setup.environment.VENUE_HOME), 0o700);
  damageBlock(machine.warehouse, await inWarehouse(machine, findMartBlock));
  expect(await repair(machine)).toContainEqual(
    expect.stringMatching(/^rebuilt the mart \((mart|staging)\.\w+.* missing or unreadable\), and published/),
  );
  expect(await publishedFigures(machine)).toEqual(figures);
});

itInSoak("loads the kept landings if the warehouse is lost", async () => {
  const machine = copyMachine();
  const { plays } = await inWarehouse(machine, findCounts);
  rmSync(machine.warehouse);
  expect(await repair(machine)).toEqual([
    expect.stringMatching(new RegExp(`^loaded ${plays} plays and \\d+ listings`)),
  ]);
  expect((await inWarehouse(machine, findCounts)).plays).toBe(plays);
  // Nothing is lost, so a build gives the same result.
  const { code, stderr } = await runVenue(["build"], machine);
  expect(code, stderr).toBe(0);
  await expectWhole(machine);
});

itInAll("loads them, too, if a build has recreated the lost warehouse", async () => {
  const machine = copyMachine();
  const { plays } = await inWarehouse(machine, findCounts);
  rmSync(machine.warehouse);
  expect((await runVenue(["build"], machine)).code).toBe(4);
  const { code, stdout } = await runVenue(["doctor"], machine);
  expect([code, stdout]).toEqual([4, expect.stringContaining("warehouse.duckdb is empty, but v0")]);
  expect(await repair(machine)).toEqual([expect.stringMatching(new RegExp(`^loaded ${plays} plays`))]);
  expect(await repair(machine)).toEqual([]);
  await expectWhole(machine);
});

itInAll("moves an unreadable file aside and loads the kept landings", async () => {
  const machine = copyMachine();
  truncateSync(machine.warehouse, 10_000);
  expect(await repair(machine)).toEqual([
    expect.stringMatching(/^kept the damaged .* as /),
    expect.stringMatching(/^loaded \d+ plays/),
  ]);
  expect(asides(machine)).toHaveLength(1);
  await expectWhole(machine);
});

itInSoak("walks zones from the beginning, because landings of walks contain only new lines", async () => {
  const workingFolder = createTempFolder();
  const machine: Machine = {
    ...world,
    workingFolder,
    dataFolder: join(workingFolder, "data"),
    environment: { ...world.environment, VENUE_HOME: join(workingFolder, "home") },
    warehouse: join(workingFolder, "data", "warehouse.duckdb"),
  };
  for (const words of [
    ["sync", "--mode", "walk", "--keep-landing", "0"],
    ["sync", "--mode", "walk"],
  ])
    expect((await runVenue(words, machine)).code).toBe(0);
  rmSync(machine.warehouse);
  await repair(machine);
  await collectAndBuild(machine, "walk");
  expect(await publishedFigures(machine)).toEqual(truth);
});

it("creates no warehouse if nothing was ever loaded", async () => {
  const setup = await setUp({ days: 1, zones: 1 });
  await runVenue(["runs"], setup);
  expect((await runVenue(["doctor", "--repair"], setup)).code).toBe(0);
  expect(existsSync(join(setup.dataFolder, "warehouse.duckdb"))).toBe(false);
});

function asides({ dataFolder }: Machine): string[] {
  return readdirSync(dataFolder).filter((name) => name.startsWith("warehouse.duckdb.damaged-"));
}

async function findCounts(database: DuckDb): Promise<{ plays: number; loads: number; last: number }> {
  return await database.get(
    `select (select count(*) from core.play) as plays, (select count(*) from core.load) as loads,
    (select last_value from duckdb_sequences() where sequence_name = 'load_id') as last`,
  );
}

/** A block of the file used only by the mart. */
async function findMartBlock(database: DuckDb): Promise<number> {
  const tables = await database.all<{ schema: string; name: string }>(
    "select schema_name as schema, schema_name || '.' || table_name as name from duckdb_tables()",
  );
  const blocks = { core: new Set<number>(), built: new Set<number>() };
  for (const { schema, name } of tables) {
    const rows = await database.all<{ block: number }>(
      `select distinct block_id as block from pragma_storage_info('${name}') where block_id >= 0`,
    );
    for (const { block } of rows)
      blocks[schema === "core" || schema === "main" ? "core" : "built"].add(block);
  }
  const [block] = [...blocks.built].filter((id) => !blocks.core.has(id));
  if (block === undefined) throw new Error("the mart shares all its blocks with core");
  return block;
}

/** DuckDB's 256 KiB blocks follow three headers of 4 KiB. */
function damageBlock(file: string, block: number): void {
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(4096, 0x5a), 0, 4096, 3 * 4096 + block * 262_144 + 100);
  closeSync(handle);
}
