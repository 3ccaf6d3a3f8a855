import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import {
  createBranchWorkbench,
  createCoreTables,
  listTableModels,
} from "../../../src/build/trino/core-tables.ts";
import { registerCore } from "../../../src/build/trino/register-core.ts";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { Nessie } from "../../../src/engines/nessie/nessie.ts";
import type { TrinoEngine } from "../../../src/engines/trino/trino-engine.ts";
import type { TrinoOptions } from "../../../src/engines/trino/trino-options.ts";
import { listLoadedTables } from "../../../src/mart/loaded-tables.ts";
import { silentLogger } from "../../../src/util/logger.ts";
import { openTemplate as openWarehouseTemplate } from "../../../src/workspace/warehouse.ts";
import { PublishedCore } from "../../publish/core/published-core.ts";
import { song } from "../../publish/published-warehouse.ts";
import { getSharedCluster, onTrino, openTrino } from "../support/on-trino.ts";

/** Connects like a build. */
function openBuilder(options: Partial<TrinoOptions> = {}): TrinoEngine {
  const relations = listLoadedTables().map((table) => [`core.${table}`, `venue_core.core.${table}`]);
  return openTrino({ catalog: "venue_build", relations: Object.fromEntries(relations), ...options });
}

describe("registering core", () => {
  onTrino("shows the rows of the version, and after the next one those of that version", async () => {
    const { engine, register } = await prepareCore();
    const core = await PublishedCore.open();
    await core.addPlays([song("2026-10-05 10:00:00"), song("2026-11-05 10:00:00", 2)]);
    await core.fill("load", { load_id: 1, landing_id: "a", source: "export", kind: "music" });
    await register(core);
    const plays = "select zone_id, played_at, date, utc_offset_minutes from core.play order by played_at";
    const october = {
      zone_id: 1,
      played_at: "2026-10-05 10:00:00",
      date: "2026-10-05",
      utc_offset_minutes: 0,
    };
    const november = {
      zone_id: 2,
      played_at: "2026-11-05 10:00:00",
      date: "2026-11-05",
      utc_offset_minutes: 0,
    };
    expect(await engine.all(plays)).toEqual([october, november]);
    expect(await engine.all("select landing_id, group_id from core.load")).toEqual([
      { landing_id: "a", group_id: null },
    ]);
    await core.addPlays([song("2026-11-05 11:00:00", 2)]);
    await register(core);
    expect(await engine.all(plays)).toEqual([
      october,
      november,
      { ...november, played_at: "2026-11-05 11:00:00" },
    ]);
  });

  onTrino("rejects a version of which Trino sees other rows", async () => {
    const { register } = await prepareCore();
    const core = await PublishedCore.open();
    await core.addPlays([song("2026-10-05 10:00:00"), song("2026-11-05 10:00:00")]);
    const lost = register(core, (folder) => rmSync(join(folder, "play/month=2026-10"), { recursive: true }));
    await expect(lost).rejects.toMatchObject({
      code: "CORE_DAMAGED",
      message: expect.stringContaining(
        "Trino sees 1 rows of core.play, and the version that the build reads has 2",
      ),
    });
  });
});

describe("tables of core", () => {
  onTrino("match those that builds write in a warehouse, and are created once", async () => {
    const engine = await openBranch();
    const template = await openTemplate("version (version varchar, built_at timestamp)", dayTable, loadTable);
    await createCoreTables(engine, template);
    await engine.run(
      "insert into core.version values ('v1', timestamp '2026-10-31 12:00:00.123456'), ('v2', null)",
    );
    await createCoreTables(engine, template);
    expect(await engine.all("select version, built_at from core.version order by 1")).toEqual([
      { version: "v1", built_at: "2026-10-31 12:00:00.123456" },
      { version: "v2", built_at: null },
    ]);
    expect(await engine.all("show tables from core")).toEqual([{ Table: "dirty_day" }, { Table: "version" }]);
  });

  onTrino("are all recreated empty if one has another column, and old ones are dropped", async () => {
    const engine = await openBranch();
    const before = await openTemplate(dayTable, "built_setting (name integer)", "built_old (a bigint)");
    await createCoreTables(engine, before);
    await engine.run("insert into core.dirty_day values ('music', date '2026-10-31')");
    await createCoreTables(engine, await openTemplate(dayTable, "built_setting (name varchar)"));
    expect(await engine.get("select count(*) as days from core.dirty_day")).toEqual({ days: 0 });
    expect(await engine.describe("select * from core.built_setting")).toEqual([
      { name: "name", type: "VARCHAR" },
    ]);
    expect(await engine.all("show tables from core")).toEqual([
      { Table: "built_setting" },
      { Table: "dirty_day" },
    ]);
  });
});

describe("the workbench on a branch", () => {
  onTrino("fills the tables of models, daily ones by month, and lists the built tables", async () => {
    const engine = await openBranch();
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

  onTrino("has all models as tables, and enters changed days", async () => {
    const engine = await openBranch();
    await createCoreTables(
      engine,
      await openTemplate(
        dayTable,
        "dirty_campaign_day (kind varchar, date date)",
        "dirty_device_day (kind varchar, date date)",
      ),
    );
    const workbench = createBranchWorkbench(engine, [
      { topic: "plays", kind: "music", date: "2026-10-31" },
      { topic: "devices", kind: "", date: "2026-11-01" },
    ]);
    await workbench.takeMarks();
    expect(await engine.all("select * from core.dirty_day")).toEqual([{ kind: "music", date: "2026-10-31" }]);
    expect(await engine.all("select * from core.dirty_campaign_day")).toEqual([]);
    expect(await engine.all("select * from core.dirty_device_day")).toEqual([
      { kind: "", date: "2026-11-01" },
    ]);
    expect(workbench.models).toEqual(listTableModels());
  });
});

const dayTable = "dirty_day (kind varchar, date date)";
const loadTable = "load (load_id bigint)";

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

/** A branch with the tables that builds write, and a function that publishes core there and registers it. */
async function prepareCore() {
  const engine = await openBranch();
  const template = await openWarehouseTemplate();
  onTestFinished(() => template.close());
  await createCoreTables(engine, template);
  const register = async (core: PublishedCore, change: (folder: string) => void = () => {}) => {
    const { folder, manifest } = await core.publish();
    const copy = `steps/${manifest.lineage.at(-1)?.id}`;
    const target = join(getSharedCluster().bucket, copy);
    cpSync(folder, target, { recursive: true });
    change(target);
    await registerCore(engine, { catalog: "venue_core", manifest, location: `local:///${copy}` });
  };
  return { engine, register };
}
