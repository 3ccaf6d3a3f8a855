import { existsSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import {
  createBranchWorkbench,
  createCoreTables,
  listTableModels,
} from "../../../src/build/trino/core-tables.ts";
import { type RegisterLakeOptions, registerLake } from "../../../src/build/trino/register-lake.ts";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { Nessie } from "../../../src/engines/nessie/nessie.ts";
import type { TrinoEngine } from "../../../src/engines/trino/trino-engine.ts";
import type { TrinoOptions } from "../../../src/engines/trino/trino-options.ts";
import { LakeDamagedError } from "../../../src/lake/errors.ts";
import { manifestFile } from "../../../src/lake/layout.ts";
import type { LakeTable, MachineManifest } from "../../../src/lake/machine.ts";
import { readStoredLake } from "../../../src/lake/stored-lake.ts";
import { FolderStorage } from "../../../src/storage/folder-storage.ts";
import { silentLogger } from "../../../src/util/logger.ts";
import { LakeMachine, song } from "../../publish/lake/lake-machine.ts";
import { getSharedCluster, onTrino, openTrino } from "../support/on-trino.ts";

const october = { month: "2026-10", zone_id: 1, played_at: "2026-10-05 10:00:00", date: "2026-10-05" };
const november = { month: "2026-11", zone_id: 1, played_at: "2026-11-05 10:00:00", date: "2026-11-05" };

/** Connects like a build. */
function openBuilder(options: Partial<TrinoOptions> = {}): TrinoEngine {
  return openTrino({ catalog: "venue_build", schemas: { lake: "venue_core.lake" }, ...options });
}

describe("registering a lake", () => {
  onTrino("shows the rows of all machines, and keeps what is registered", async () => {
    const { engine, options, west } = await openLake();
    await registerLake(engine, options);
    const plays = await engine.all(
      "select machine, month, zone_id, played_at, date from lake.play order by played_at",
    );
    expect(plays).toEqual([
      { ...october, machine: "east" },
      { ...november, machine: "east" },
      { ...november, machine: "west", zone_id: 2, played_at: "2026-11-05 11:00:00" },
    ]);
    expect(await engine.all("select machine, landing_id from lake.load")).toEqual([
      { machine: "east", landing_id: "a" },
    ]);
    const { path } = west.tables.load?.files[0] ?? {};
    expect(
      await engine.all("select distinct file_version from lake.\"load$partitions\" where machine = 'west'"),
    ).toEqual([{ file_version: basename(dirname(path ?? "")) }]);
    await engine.run("comment on table lake.play is 'not made anew'");
    await registerLake(engine, options);
    expect(await listFiles(engine)).toEqual(["east 2026-10", "east 2026-11", "west 2026-11"]);
    const { comment } = await engine.get<{ comment: string }>(
      "select comment from system.metadata.table_comments where catalog_name = 'venue_core' and schema_name = 'lake' and table_name = 'play'",
    );
    expect(comment).toBe("not made anew");
  });

  onTrino("registers files added to manifests, and unregisters removed ones", async () => {
    const { engine, options, east, west } = await openLake();
    await registerLake(engine, {
      ...options,
      machines: [withFiles(east, ({ month }) => month === "2026-10")],
    });
    expect(await listFiles(engine)).toEqual(["east 2026-10"]);
    const machines = [withFiles(east, ({ month }) => month === "2026-11"), west];
    await registerLake(engine, { ...options, machines });
    expect(await listFiles(engine)).toEqual(["east 2026-11", "west 2026-11"]);
    expect(await engine.get("select count(*) as plays from lake.play")).toEqual({ plays: 2 });
    const { play: _plays, ...others } = east.tables;
    // As published by an older version, which lacked the table.
    await registerLake(engine, { ...options, machines: [{ ...east, tables: others }, west] });
    expect(await listFiles(engine)).toEqual(["west 2026-11"]);
  });

  onTrino("recreates a table whose columns changed", async () => {
    const { engine, options, east, west } = await openLake();
    const older = [east, west].map((machine) =>
      withTable(machine, (play) => ({
        ...play,
        columns: play.columns.filter(({ name }) => name !== "artist_id"),
      })),
    );
    await registerLake(engine, { ...options, machines: older });
    const columnsOf = async () => (await engine.describe("select * from lake.play")).map(({ name }) => name);
    expect(await columnsOf()).not.toContain("artist_id");
    await registerLake(engine, options);
    expect(await columnsOf()).toContain("artist_id");
    expect(await engine.get("select count(artist_id) as artists from lake.play")).toEqual({ artists: 3 });
  });

  onTrino("rejects files in which Trino sees other rows, and registers none of them", async () => {
    const { engine, options, folder, east, west } = await openLake();
    const notArrived = "core/play/machine=west/month=2026-12/00000000000000ff/data.parquet";
    mkdirSync(dirname(join(folder, notArrived)), { recursive: true });
    const machines = [
      withTable(east, (play) => ({
        ...play,
        files: play.files.map((file) => (file.month === "2026-11" ? { ...file, rows: 2 } : file)),
      })),
      withTable(west, ({ files, ...play }) => {
        const [file] = files;
        if (!file) throw new Error("west has no plays");
        return { ...play, files: [...files, { ...file, month: "2026-12", path: notArrived }] };
      }),
    ];
    const error = await registerLake(engine, { ...options, machines }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LakeDamagedError);
    expect((error as LakeDamagedError).machine).toBe("east");
    expect((error as LakeDamagedError).message).toMatch(
      /Trino does not see the 2 rows of local:\/\/\/steps\/core\/play\/machine=east\/month=2026-11\/\w+\./,
    );
    expect(await listFiles(engine)).toEqual(["east 2026-10", "west 2026-11"]);
    await registerLake(engine, options);
    expect(await listFiles(engine)).toEqual(["east 2026-10", "east 2026-11", "west 2026-11"]);
  });

  onTrino("begins nothing once aborted, and stops before the next file", async () => {
    const { options } = await openLake();
    const reason = new Error("enough");
    const reader = openBuilder();
    await expect(registerLake(reader, { ...options, signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect(await reader.all("show tables from venue_core.lake")).toEqual([]);

    const controller = new AbortController();
    const registered = join(getSharedCluster().lake, "trino/lake/load/machine=east");
    const engine = openBuilder({
      onProgress: ({ state }) => {
        if (state === "FINISHED" && existsSync(registered)) controller.abort(reason);
      },
    });
    await expect(registerLake(engine, { ...options, signal: controller.signal })).rejects.toBe(reason);
    expect(await reader.all('select machine from lake."load$partitions"')).toEqual([{ machine: "east" }]);
    expect(await reader.all("show tables from venue_core.lake")).toEqual([{ Table: "load" }]);
  });
});

describe("tables of core", () => {
  onTrino("match those of a warehouse, are created once, and have plays by month", async () => {
    const engine = await openBranch();
    const template = await openTemplate("load (load_id bigint, loaded_at timestamp, date date)", playTable);
    expect(await createCoreTables(engine, template)).toBe(true);
    await engine.run(
      "insert into core.play values (1, date '2026-10-31'), (2, date '2026-11-01'), (3, date '2026-11-30')",
    );
    await engine.run(
      "insert into core.load values (1, timestamp '2026-10-31 12:00:00.123456', date '2026-10-31'), (2, null, date '2026-11-01')",
    );
    expect(await createCoreTables(engine, template)).toBe(false);
    expect(await engine.all("select load_id, loaded_at from core.load order by 1")).toEqual([
      { load_id: 1, loaded_at: "2026-10-31 12:00:00.123456" },
      { load_id: 2, loaded_at: null },
    ]);
    expect(await countFiles(engine, "core.play")).toBe(2);
    expect(await countFiles(engine, "core.load")).toBe(1);
  });

  onTrino("are all recreated empty if one has another column, and old ones are dropped", async () => {
    const engine = await openBranch();
    const before = await openTemplate(playTable, "load (load_id integer)", "old (a bigint)");
    await createCoreTables(engine, before);
    await engine.run("insert into core.play values (1, date '2026-10-31')");
    const template = await openTemplate(playTable, "load (load_id bigint)");
    expect(await createCoreTables(engine, template)).toBe(true);
    expect(await engine.get("select count(*) as plays from core.play")).toEqual({ plays: 0 });
    expect(await engine.describe("select * from core.load")).toEqual([{ name: "load_id", type: "BIGINT" }]);
    expect(await engine.all("show tables from core")).toEqual([{ Table: "load" }, { Table: "play" }]);
  });
});

describe("the workbench on a branch", () => {
  onTrino("fills the tables of models, daily ones by month, and lists the built tables", async () => {
    const engine = await openBranch();
    await createCoreTables(engine, await openTemplate(playTable));
    const workbench = createBranchWorkbench(engine);
    const modelOf = (name: string) => {
      const model = workbench.models.find((one) => one.name === name);
      if (!model) throw new Error(`no model ${name}`);
      return model;
    };
    expect([...(await workbench.listBuilt())]).toEqual([]);
    const days =
      "select * from (values (1, date '2026-10-31'), (2, date '2026-11-01'), (3, date '2026-11-30')) as t (plays, date)";
    await workbench.fillTable(modelOf("staging.zone_group"), days);
    await workbench.fillTable(
      modelOf("mart.fact_play_day"),
      "select date '2026-10-31' as date, 'other' as column_of_before",
    );
    await workbench.fillTable(modelOf("mart.fact_play_day"), days);
    expect(await workbench.listBuilt()).toEqual(
      new Map([
        ["staging.zone_group", "table"],
        ["mart.fact_play_day", "table"],
      ]),
    );
    expect(await engine.get("select sum(plays) as plays from mart.fact_play_day")).toEqual({ plays: 6 });
    expect(await countFiles(engine, "mart.fact_play_day")).toBe(2);
    expect(await countFiles(engine, "staging.zone_group")).toBe(1);
  });

  onTrino("has all models as tables, and handles as many days at once as memory allows", async () => {
    const engine = await openBranch();
    await createCoreTables(engine, await openTemplate(playTable));
    await engine.run("insert into core.play values (1, date '2026-10-31'), (2, date '2026-11-01')");
    const workbench = createBranchWorkbench(engine);
    expect(workbench.models).toEqual(listTableModels());
    expect(await workbench.atomically(async () => "answer")).toBe("answer");
    expect(await workbench.listWholeRanges("plays")).toEqual([{ from: "0001-01-01", to: "9999-12-31" }]);
    expect(await workbench.listWholeRanges("devices")).toBeUndefined();
  });
});

const playTable = "play (zone_id bigint, date date)";

/** An engine on the build branch, which has schemas but no tables. `main` is unchanged. */
async function openBranch(): Promise<TrinoEngine> {
  const nessie = new Nessie({ url: getSharedCluster().nessieUrl, logger: silentLogger });
  try {
    const main = await nessie.getBranch("main");
    const left = await nessie.findBranch("build");
    let build = left ? await nessie.resetBranch(left, main) : await nessie.createBranch("build", main);
    for (const schema of ["core", "staging", "mart"])
      build = await nessie.createNamespace(build, schema, `Make the schema ${schema}`);
  } finally {
    nessie.close();
  }
  return openBuilder();
}

/** A warehouse of another version of the program, with only these tables of `core`. */
async function openTemplate(...tables: readonly string[]): Promise<DuckDb> {
  const template = await DuckDb.open();
  onTestFinished(() => template.close());
  await template.run("create schema core");
  for (const table of tables) await template.run(`create table core.${table}`);
  return template;
}

/** Files of a table filled by one statement: one per partition. */
async function countFiles(engine: TrinoEngine, table: string): Promise<number> {
  const [schema, name] = table.split(".");
  const { files } = await engine.get<{ files: number }>(
    `select count(*) as files from ${schema}."${name}$files"`,
  );
  return files;
}

/** A lake that two machines published into, with nothing registered. Created once per cluster. */
async function openLake() {
  const folder = join(dirname(getSharedCluster().lake), "steps");
  if (!existsSync(manifestFile(folder, "west"))) {
    const east = await LakeMachine.open("east", folder);
    await east.add("play", song(october.played_at), song(november.played_at));
    await east.add("load", { load_id: 1, landing_id: "a", source: "export", kind: "music" });
    await east.publish();
    const west = await LakeMachine.open("west", folder);
    await west.add("play", song("2026-11-05 11:00:00", 2));
    await west.publish();
  }
  const engine = openBuilder();
  await engine.run("drop schema if exists venue_core.lake cascade");
  const machines = await readStoredLake(new FolderStorage(folder));
  const [east, west] = machines;
  if (!(east && west)) throw new Error("the lake lacks a machine");
  const options: RegisterLakeOptions = {
    ...{ catalog: "venue_core", location: "local:///steps", machines, coreColumns: new Map() },
    // One whose file has no rows of west, and the one that is by month: others are registered the same way.
    tables: ["load", "play"],
  };
  return { engine, options, folder, east, west };
}

function withTable(machine: MachineManifest, change: (play: LakeTable) => LakeTable): MachineManifest {
  const { play } = machine.tables;
  if (!play) throw new Error(`${machine.name} has no plays`);
  return { ...machine, tables: { ...machine.tables, play: change(play) } };
}

function withFiles(
  machine: MachineManifest,
  isNamed: (file: LakeTable["files"][number]) => boolean,
): MachineManifest {
  return withTable(machine, (play) => ({ ...play, files: play.files.filter(isNamed) }));
}

/** The registered files of plays, by machine and month. */
async function listFiles(engine: TrinoEngine): Promise<string[]> {
  const rows = await engine.all('select machine, month from lake."play$partitions" order by 1, 2');
  return rows.map(({ machine, month }) => `${machine} ${month}`);
}
