import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Settings } from "../../src/config/settings.ts";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { sqlName } from "../../src/engines/sql-text.ts";
import { readManifest } from "../../src/mart/manifest.ts";
import {
  type CollectorOptions,
  type CollectResult,
  collectToStore,
} from "../../src/pipeline/collect-to-store.ts";
import { loadFromStore, type StoreLoadOptions } from "../../src/pipeline/load-from-store.ts";
import type { StoreLoadResult } from "../../src/pipeline/sync-result.ts";
import { createClock } from "../../src/util/clock.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { openWorkspace, type SyncSetup } from "../pipeline/sync-workspace.ts";
import { relay } from "../support/relay.ts";
import type { Setup } from "../support/service.ts";

/** A machine that collects into a store, or loads from one. */
export class Collecting {
  readonly name: string;
  readonly #world: Setup;
  readonly #groupIds: readonly number[];
  readonly #aheadMs: number;
  /** Relays to the service, with the service's clock. */
  #origin: Promise<string> | undefined;

  /** @param aheadMs by how much its clock is ahead of the service's */
  constructor(world: Setup, name: string, groupIds: readonly number[], aheadMs = 0) {
    this.name = name;
    this.#world = world;
    this.#groupIds = groupIds;
    this.#aheadMs = aheadMs;
  }

  get dataFolder(): string {
    return join(this.#world.workingFolder, this.name, "data");
  }

  get setup(): SyncSetup {
    const { environment, workingFolder, emulator } = this.#world;
    return {
      workingFolder: join(workingFolder, this.name),
      dataFolder: this.dataFolder,
      emulator,
      environment: {
        ...environment,
        VENUE_HOME: join(workingFolder, this.name, "home"),
        VENUE_GROUP_IDS: this.#groupIds.join(","),
      },
    };
  }

  workspace(signal = new AbortController().signal): Workspace {
    return { ...openWorkspace(this.setup), signal };
  }

  async collect(to: string, options: Partial<CollectorOptions> = {}): Promise<CollectResult> {
    return await this.#collect(await this.#collectingWorkspace(), to, options);
  }

  /** Collects, but is interrupted after some milliseconds. */
  async collectKilled(to: string, options: Partial<CollectorOptions>, afterMs: number): Promise<void> {
    const killer = new AbortController();
    const collecting = this.#collect(await this.#collectingWorkspace(killer.signal), to, options).catch(
      () => undefined,
    );
    await setTimeout(afterMs);
    killer.abort(new Error("killed"));
    await collecting;
  }

  async #collectingWorkspace(signal?: AbortSignal): Promise<Workspace> {
    const workspace = this.workspace(signal);
    if (this.#aheadMs === 0) return workspace;
    const { emulator, environment } = this.#world;
    this.#origin ??= relay(new URL(emulator.baseUrl).origin, () => emulator.now());
    const origin = await this.#origin;
    const { VENUE_NOW: _now, ...others } = this.setup.environment;
    const settings = new Settings({
      flags: {},
      environment: {
        ...others,
        VENUE_BASE_URL: `${origin}${new URL(environment.VENUE_BASE_URL ?? "").pathname}`,
      },
      workingFolder: workspace.folder.root,
    });
    const clock = createClock(new Date(emulator.now().getTime() + this.#aheadMs));
    return { ...workspace, settings, clock };
  }

  async #collect(
    workspace: Workspace,
    to: string,
    options: Partial<CollectorOptions>,
  ): Promise<CollectResult> {
    const topics = ["history", "devices", "campaigns", "status"] as const;
    return await collectToStore(workspace, { topics, to, source: this.name, takeOver: false, ...options });
  }

  /** Loads, but is interrupted after some milliseconds. */
  async loadKilled(from: string, afterMs: number): Promise<void> {
    const killer = new AbortController();
    const options = { from, keepLandingDays: 7, takeOver: false };
    const loading = loadFromStore(this.workspace(killer.signal), options).catch(() => undefined);
    await setTimeout(afterMs);
    killer.abort(new Error("killed"));
    await loading;
  }

  async load(from: string, options: Partial<StoreLoadOptions> = {}): Promise<StoreLoadResult> {
    return await loadFromStore(this.workspace(), { from, keepLandingDays: 7, takeOver: false, ...options });
  }
}

/** Columns that depend on when and where something was loaded. */
const ofLoading = new Set([
  ...[
    "load_id",
    "first_load_id",
    "last_load_id",
    "snapshot_id",
    "rule_id",
    "landing_id",
    "loaded_at",
    "line_hash",
  ],
  ...["new_plays", "changed", "unchanged", "vanished", "version", "published_at", "built_at"],
]);

/** Tables of `core` about loading and building. */
const notCompared =
  /^(reject_?|version|restatement|built_|dirty_|unpublished_|published_|reference_file|build_setting)/;

/** Returns all rows of `core`, as text, without values that depend on the order of loading. */
export async function dumpCore(dataFolder: string): Promise<Record<string, string[]>> {
  const warehouse = await DuckDb.open({ path: join(dataFolder, "warehouse.duckdb"), readOnly: true });
  try {
    const tables = await warehouse.all<{ name: string }>(
      "select table_name as name from duckdb_tables() where schema_name = 'core' order by 1",
    );
    const compared = tables.filter(({ name }) => !notCompared.test(name));
    return await dump(
      warehouse,
      compared.map(({ name }) => [name, `core.${sqlName(name)}`] as const),
    );
  } finally {
    warehouse.close();
  }
}

/** Returns all published rows, as text, without values that depend on the order of loading. */
export async function dumpPublished(dataFolder: string): Promise<Record<string, string[]>> {
  const folder = join(dataFolder, "published", "current");
  const { tables } = await readManifest(folder);
  const database = await DuckDb.open();
  try {
    return await dump(
      database,
      Object.entries(tables)
        .filter(([name]) => !/restatement/.test(name))
        .map(([name, { partitioned }]) => {
          const files = `${folder}/${name}${partitioned ? "/**/*.parquet" : ".parquet"}`;
          // How far rules are expanded beyond the data depends on the order of loading.
          const until =
            name === "fact_rule_date"
              ? ` where date <= (select cast(data_as_of as date) from '${folder}/mart_info.parquet')`
              : "";
          return [name, `read_parquet('${files}', hive_partitioning = false)${until}`];
        }),
    );
  } finally {
    database.close();
  }
}

async function dump(
  database: DuckDb,
  tables: readonly (readonly [name: string, source: string])[],
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [name, source] of tables) {
    const rows = await database.all<Record<string, never>>(`select * from ${source}`);
    const texts = rows.map((row) =>
      JSON.stringify(Object.fromEntries(Object.entries(row).filter(([column]) => !ofLoading.has(column)))),
    );
    // Several machines request the same listing.
    found[name] = [...new Set(texts)].sort();
  }
  return found;
}
