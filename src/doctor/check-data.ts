import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { DataFolder } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { DuckDb, type DuckDbOptions } from "../engines/duckdb/duckdb.ts";
import { NothingPublishedError, publishedDamagedError } from "../mart/errors.ts";
import { findManifest } from "../mart/manifest.ts";
import { listVersions } from "../mart/published-versions.ts";
import { formatAge, hoursSince, isStale } from "../report/findings/data-as-of.ts";
import { withPublished } from "../report/published/with-published.ts";
import { createClock } from "../util/clock.ts";
import { sha256Of } from "../util/files/file-content.ts";
import { listMigrations, listPendingMigrations } from "../util/migrations.ts";
import { countOf } from "../util/text/words.ts";
import { assertWarehouseNotLost } from "../workspace/lost-warehouse.ts";
import { findWarehouse, translateWarehouseError, WarehouseInUseError } from "../workspace/warehouse.ts";

export async function checkDuckDb(settings: Settings): Promise<string> {
  const database = await DuckDb.open(duckDbOptions(settings));
  try {
    const { version } = await database.get<{ version: string }>("select version() as version");
    return `${version} works, with a memory limit of ${settings.get("VENUE_MEMORY_LIMIT")}`;
  } finally {
    database.close();
  }
}

/** Opens the warehouse and checks the version of its schema, without creating or changing anything. */
export async function checkWarehouse(settings: Settings): Promise<string> {
  const folder = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const { warehouseFile: path } = folder;
  try {
    const warehouse = await findWarehouse({ ...duckDbOptions(settings), path });
    if (!warehouse) {
      await assertWarehouseNotLost(undefined, folder);
      return "not created yet; the first load creates it";
    }
    try {
      const applied = await warehouse.all<{ name: string; sha256: string }>(
        "select name, sha256 from main.migration order by name",
      );
      const pending = listPendingMigrations(path, listMigrations("warehouse"), applied).length;
      await assertWarehouseNotLost(warehouse, folder);
      const { plays } = await warehouse.get<{ plays: number }>("select count(*) as plays from core.play");
      const steps = pending > 0 ? `; the next run adds ${countOf(pending, "step")} to its schema` : "";
      return `${path} opens, and contains ${countOf(plays, "play")}${steps}`;
    } catch (error) {
      throw translateWarehouseError(path, error);
    } finally {
      warehouse.close();
    }
  } catch (error) {
    if (error instanceof WarehouseInUseError) return `not checked: ${path} is in use by a run`;
    throw error;
  }
}

/** Checks every file of the current version against its recorded checksum. */
export async function checkPublished(settings: Settings, signal: AbortSignal): Promise<string> {
  const now = createClock(settings.find("VENUE_NOW")).now();
  try {
    return await withPublished(settings, signal, async ({ version, dataAsOf }) => {
      const folder = await realpath(
        join(new DataFolder(settings.get("VENUE_DATA_DIR")).published, "current"),
      );
      const files = Object.values(findManifest(folder)?.tables ?? {}).flatMap((table) => table.files);
      for (const { path, sha256 } of files) {
        if ((await sha256Of(join(folder, path), signal)) === sha256) continue;
        throw publishedDamagedError(`${join(folder, path)} has changed since it was written`);
      }
      return `${version} is intact: ${countOf(files.length, "file")}; data as of ${formatDataAge(dataAsOf, now)}`;
    });
  } catch (error) {
    if (!(error instanceof NothingPublishedError)) throw error;
    const newest = listVersions(error.folder).at(-1);
    if (newest === undefined) return "nothing published yet; run `venue run`";
    throw publishedDamagedError(
      `${join(error.folder, "current")} is missing, though ${newest} is there; run \`venue doctor --repair\` to restore it`,
      { cause: error },
    );
  }
}

function formatDataAge(dataAsOf: string | null, now: Date): string {
  if (dataAsOf === null) return "unknown (no history loaded yet)";
  return isStale(dataAsOf, now) ? `${dataAsOf}, ${formatAge(hoursSince(dataAsOf, now))} ago` : dataAsOf;
}

function duckDbOptions(settings: Settings): DuckDbOptions {
  const threads = settings.find("VENUE_THREADS");
  return {
    memoryLimit: settings.get("VENUE_MEMORY_LIMIT"),
    tempDir: new DataFolder(settings.get("VENUE_DATA_DIR")).temp,
    ...(threads === undefined ? {} : { threads }),
  };
}
