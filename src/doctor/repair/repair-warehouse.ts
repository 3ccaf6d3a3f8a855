import { existsSync, renameSync } from "node:fs";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { LandingLoader, type Loaded } from "../../load/landings/landing-loader.ts";
import { build } from "../../pipeline/build.ts";
import { countOf } from "../../util/text/words.ts";
import { isEmptyWarehouse } from "../../workspace/lost-warehouse.ts";
import { findWarehouse, translateWarehouseError, WarehouseDamagedError } from "../../workspace/warehouse.ts";
import { type Workspace, withWarehouse } from "../../workspace/workspace.ts";
import { invalidateMart, salvageCore } from "./salvage-core.ts";

/**
 * Recovers a lost or damaged warehouse as far as possible: loads `core` from the landings that are still
 * there, and rebuilds the mart from `core`. Moves a damaged file aside without changing it.
 * @returns the repairs made
 * @throws {WarehouseInUseError}
 */
export async function repairWarehouse(workspace: Workspace): Promise<string[]> {
  const { warehouseFile } = workspace.folder;
  const found = await examineWarehouse(workspace);
  const aside = `${warehouseFile}.damaged-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  switch (found.state) {
    case "whole":
      return [];
    case "missing":
    case "empty":
      return await reloadLandings(workspace);
    case "unreadable":
      moveAside(warehouseFile, aside);
      return [`moved the damaged ${warehouseFile} aside to ${aside}`, ...(await reloadLandings(workspace))];
    case "mart lacking":
      return await rebuildMart(workspace, found.damage);
    case "mart damaged":
      await salvageCore(workspace, aside);
      return [
        `moved the damaged ${warehouseFile} aside to ${aside}, and copied the loaded data into a new one`,
        ...(await rebuildMart(workspace, found.damage)),
      ];
  }
}

function moveAside(file: string, aside: string): void {
  renameSync(file, aside);
  if (existsSync(`${file}.wal`)) renameSync(`${file}.wal`, `${aside}.wal`);
}

async function rebuildMart(workspace: Workspace, damage: string): Promise<string[]> {
  await withWarehouse(workspace, (warehouse) => invalidateMart(warehouse, workspace.folder.published));
  const { built, published } = await build(workspace, { isFull: true });
  const outcome = published ? `published it as ${built.version}` : "did not publish it (see `venue check`)";
  return [`rebuilt the mart (${damage}), and ${outcome}`];
}

type WarehouseState =
  | { state: "missing" | "empty" | "whole" | "unreadable" }
  /** The loaded data is readable, but the mart is not. */
  | { state: "mart lacking" | "mart damaged"; damage: string };

/** Reads every row of every table, which reveals damage anywhere. */
async function examineWarehouse({ folder, settings, signal }: Workspace): Promise<WarehouseState> {
  const path = folder.warehouseFile;
  try {
    const options = { memoryLimit: settings.get("VENUE_MEMORY_LIMIT"), tempDir: folder.temp };
    const warehouse = await findWarehouse({ ...options, path });
    if (!warehouse) return { state: "missing" };
    try {
      return await examine(warehouse, path, signal);
    } finally {
      warehouse.close();
    }
  } catch (error) {
    if (error instanceof WarehouseDamagedError) return { state: "unreadable" };
    throw error;
  }
}

async function examine(warehouse: DuckDb, path: string, signal: AbortSignal): Promise<WarehouseState> {
  const tables = await listNames(
    warehouse,
    "select schema_name || '.' || table_name as name from duckdb_tables() order by schema_name = 'core' desc, name",
  );
  for (const name of tables) {
    signal.throwIfAborted();
    try {
      // Hashes all columns, because a plain count would not read them.
      await warehouse.all(`select bit_xor(hash(t)) as content from ${name} as t`);
    } catch (cause) {
      const error = translateWarehouseError(path, cause);
      if (!(error instanceof WarehouseDamagedError) || !/^(staging|mart)\./.test(name)) throw error;
      return { state: "mart damaged", damage: `${name} could not be read` };
    }
  }
  if (await isEmptyWarehouse(warehouse)) return { state: "empty" };
  const missing = await listNames(
    warehouse,
    `select model as name from core.built_model
    except select schema_name || '.' || table_name from duckdb_tables()
    except select schema_name || '.' || view_name from duckdb_views()
    order by name`,
  );
  if (missing.length === 0) return { state: "whole" };
  return { state: "mart lacking", damage: `${missing.join(", ")} missing` };
}

async function listNames(warehouse: DuckDb, sql: string): Promise<string[]> {
  return (await warehouse.all<{ name: string }>(sql)).map(({ name }) => name);
}

/**
 * Loads the landings that are still there into a new warehouse. The next sync collects the rest, and walks
 * zones from the beginning, because the kept landing of a walk contains only lines that were new at that
 * time.
 * @returns the repairs made; empty if there are no landings
 */
async function reloadLandings(workspace: Workspace): Promise<string[]> {
  const { folder, state, settings } = workspace;
  const kept = state.landings.listLoaded().filter(({ path }) => existsSync(folder.resolve(path)));
  if (kept.length === 0) return [];
  state.walks.forgetAll(settings.get("VENUE_BASE_URL").href);
  state.knownNotices.forget();
  // Closes open collections, because a resumed run would skip sources that it has already collected, although
  // the new warehouse may lack them.
  state.collections.closeAll();
  state.landings.markReady(kept.map(({ landingId }) => landingId));
  const loaded: Loaded = { loads: [], listings: 0, failures: [] };
  const loader = new LandingLoader(workspace, loaded);
  for (const landing of state.landings.listReady()) loader.add(landing);
  await loader.settle();
  const plays = loaded.loads.reduce((sum, { newPlays }) => sum + newPlays, 0);
  const histories = loaded.loads.length === 1 ? "1 history" : `${loaded.loads.length} histories`;
  return [
    `loaded ${histories} with ${countOf(plays, "play")}, and ${countOf(loaded.listings, "listing")}, from kept landings; the next \`venue run\` collects the rest`,
    ...loaded.failures.map(({ error }) => error.message),
  ];
}
