import { copyFileSync, existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { LandingLoader, type LoadSummary } from "../../load/landings/landing-loader.ts";
import { findManifest } from "../../mart/manifest.ts";
import { findCurrentVersion } from "../../mart/published-versions.ts";
import { build } from "../../pipeline/build.ts";
import { hasMartTable } from "../../publish/find-losses.ts";
import { finishKilledPublish } from "../../publish/finish-killed-publish.ts";
import { listIntactFiles, readFiles } from "../../publish/version-files.ts";
import { hasPublished } from "../../publish/versions/previous-version.ts";
import { countOf } from "../../util/text/words.ts";
import { isEmptyWarehouse } from "../../workspace/lost-warehouse.ts";
import { findWarehouse, translateWarehouseError, WarehouseDamagedError } from "../../workspace/warehouse.ts";
import { type Workspace, withWarehouse } from "../../workspace/workspace.ts";

/**
 * Recovers a lost or damaged warehouse as far as possible. Renames a damaged file, loads a lost `core` from the
 * remaining landings, and rebuilds a damaged mart from `core`.
 * @returns the repairs made
 * @throws {WarehouseInUseError}
 */
export async function repairWarehouse(workspace: Workspace): Promise<string[]> {
  const { isCoreLost, unreadable, missing } = await examineWarehouse(workspace);
  const kept = unreadable.length > 0 ? keepAside(workspace.folder.warehouseFile, isCoreLost) : [];
  if (isCoreLost) return [...kept, ...(await reloadLandings(workspace))];
  if (unreadable.length + missing.length === 0) return [];
  await withWarehouse(workspace, async (warehouse) => {
    for (const table of unreadable) await warehouse.run(`drop table ${table}`);
    await invalidateMart(warehouse, workspace.folder.published);
  });
  const { built, published } = await build(workspace, { isFull: true });
  const outcome = published ? `published it as ${built.version}` : "did not publish it (see `venue check`)";
  const damage = [...missing, ...unreadable].sort().join(", ");
  return [...kept, `rebuilt the mart (${damage} missing or unreadable), and ${outcome}`];
}

interface Damage {
  isCoreLost: boolean;
  unreadable: string[];
  missing: string[];
}

/** Reads every row of every table, to find damage anywhere. */
async function examineWarehouse({ folder, settings, signal }: Workspace): Promise<Damage> {
  const path = folder.warehouseFile;
  const options = { path, memoryLimit: settings.get("VENUE_MEMORY_LIMIT"), tempDir: folder.temp };
  let warehouse: DuckDb | undefined;
  try {
    warehouse = await findWarehouse(options);
    return warehouse
      ? await examine(warehouse, path, signal)
      : { isCoreLost: true, unreadable: [], missing: [] };
  } catch (error) {
    if (!(error instanceof WarehouseDamagedError)) throw error;
    return { isCoreLost: true, unreadable: [path], missing: [] };
  } finally {
    warehouse?.close();
  }
}

async function examine(warehouse: DuckDb, path: string, signal: AbortSignal): Promise<Damage> {
  const listNames = async (sql: string) =>
    (await warehouse.all<{ name: string }>(sql)).map(({ name }) => name);
  const tables = await listNames(
    "select schema_name || '.' || table_name as name from duckdb_tables() order by schema_name = 'core' desc, name",
  );
  const missing = await listNames(
    `select model as name from core.built_model
    except select schema_name || '.' || table_name from duckdb_tables()
    except select schema_name || '.' || view_name from duckdb_views()`,
  );
  const isCoreLost = await isEmptyWarehouse(warehouse);
  const unreadable: string[] = [];
  for (const name of tables) {
    signal.throwIfAborted();
    try {
      // Hashes all columns, because a count would not read them.
      await warehouse.all(`select bit_xor(hash(t)) as content from ${name} as t`);
    } catch (cause) {
      const error = translateWarehouseError(path, cause);
      if (!(error instanceof WarehouseDamagedError) || !/^(staging|mart)\./.test(name)) throw error;
      unreadable.push(name);
    }
  }
  return { isCoreLost, unreadable, missing };
}

/** Renames a damaged file, or copies it if its loaded data remains in use. */
function keepAside(file: string, isLost: boolean): string[] {
  const aside = `${file}.damaged-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  for (const suffix of ["", ".wal"].filter((suffix) => existsSync(file + suffix)))
    (isLost ? renameSync : copyFileSync)(file + suffix, aside + suffix);
  return [`kept the damaged ${file} as ${aside}`];
}

/**
 * Forces the next build to rebuild every model. If the table of campaign days is lost, the published campaign
 * days become the baseline for restatements.
 */
export async function invalidateMart(warehouse: DuckDb, publishedFolder: string): Promise<void> {
  await finishKilledPublish(publishedFolder, warehouse);
  await warehouse.transaction(async () => {
    await warehouse.run("delete from core.built_model");
    if (!(await hasMartTable(warehouse, cells))) await recallPublishedCells(warehouse, publishedFolder);
  });
}

const cells = "fact_campaign_zone_day";

async function recallPublishedCells(warehouse: DuckDb, publishedFolder: string): Promise<void> {
  const folder = join(publishedFolder, findCurrentVersion(publishedFolder) ?? "");
  const manifest = findManifest(folder);
  if (!manifest || !(await hasPublished(warehouse, manifest))) return;
  const files = await listIntactFiles({ folder, manifest }, cells);
  if (files.length === 0) return;
  // Keeps the rows of unpublished days, because they were saved when these days became unpublished.
  await warehouse.run(
    `delete from core.published_cell as c where not exists (
      from core.unpublished_campaign_day as u where u.kind = c.kind and u.date = c.date
    )`,
  );
  await warehouse.run(
    `insert into core.published_cell
    select campaign_key, kind, zone_id, date, state
    from ${readFiles(files)} anti join core.unpublished_campaign_day using (kind, date)`,
  );
}

/**
 * Loads the remaining landings into a new warehouse. The next sync collects the rest. It walks zones from the
 * beginning, because a walk's landing contains only lines that were new at that time.
 * @returns the repairs made; empty if there are no landings
 */
async function reloadLandings(workspace: Workspace): Promise<string[]> {
  const { folder, state, settings } = workspace;
  const kept = state.landings.listLoaded().filter(({ path }) => existsSync(folder.resolve(path)));
  if (kept.length === 0) return [];
  state.walks.deleteAll(settings.get("VENUE_BASE_URL").href);
  state.knownNotices.delete();
  // Closes open collections, because a resumed run would skip sources that were already collected, although
  // they may be missing from the new warehouse.
  state.collections.closeAll();
  state.landings.mark("ready", ...kept.map(({ landingId }) => landingId));
  const loaded: LoadSummary = { loads: [], listings: 0, failures: [] };
  const loader = new LandingLoader(workspace, loaded);
  for (const landing of state.landings.listReady()) loader.add(landing);
  await loader.finish();
  const plays = loaded.loads.reduce((sum, { newPlays }) => sum + newPlays, 0);
  return [
    `loaded ${countOf(plays, "play")} and ${countOf(loaded.listings, "listing")} from kept landings; the next \`venue run\` collects the rest`,
    ...loaded.failures.map(({ error }) => error.message),
  ];
}
