import { runBuild } from "../../src/build/build-mart.ts";
import { createWarehouseWorkbench } from "../../src/build/workbench.ts";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { insertRows } from "../../src/engines/statements.ts";
import { prepareRules } from "../../src/load/rules/campaign-dates.ts";
import { getVersionId, listChangedSince } from "../../src/mart/core-manifest.ts";
import { incrementVersion } from "../../src/mart/published-versions.ts";
import { topicTables } from "../../src/mart/topic.ts";
import { PublishedCore, selectsOf } from "../publish/core/published-core.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { type MartRows, readModels, type WarehouseFixture } from "./warehouse-fixture.ts";

/** Builds on DuckDB from published versions of another warehouse's `core`, as a builder on a cluster does. */
export class FollowingBuilder {
  readonly #warehouse: DuckDb;
  readonly #core: PublishedCore;
  #builtFrom: string | undefined;
  #version = "v000000";

  private constructor(warehouse: DuckDb, core: PublishedCore) {
    this.#warehouse = warehouse;
    this.#core = core;
  }

  static async open({ warehouse }: WarehouseFixture): Promise<FollowingBuilder> {
    const core = new PublishedCore(warehouse, createTempFolder());
    return new FollowingBuilder(await openNewWarehouse(), core);
  }

  /** Publishes `core` and builds what changed since the last version that was built. */
  async build({ options }: WarehouseFixture): Promise<MartRows> {
    await prepareRules(this.#core.warehouse);
    const published = await this.#core.publishSame();
    for (const [table, select] of Object.entries(selectsOf(published))) {
      if (this.#builtFrom === undefined) await this.#warehouse.run(`drop table core.${table}`);
      await this.#warehouse.run(`create or replace view core.${table} as ${select}`);
    }
    const changed = listChangedSince(published.manifest, this.#builtFrom);
    const workbench = createWarehouseWorkbench(this.#warehouse);
    const takeMarks = async () => {
      for (const { topic, kind, date } of changed ?? [])
        await insertRows(this.#warehouse, topicTables[topic].dirty, { kind: "varchar", date: "date" }, [
          [kind, date],
        ]);
    };
    const { groupIds: _ofLoader, ...others } = options;
    this.#version = incrementVersion([this.#version]);
    await runBuild(
      { ...workbench, takeMarks },
      { ...others, version: this.#version, isFull: changed === undefined },
    );
    this.#builtFrom = getVersionId(published.manifest);
    return await readModels(this.#warehouse, ["mart"]);
  }
}
