import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { isEmptyWarehouse } from "../../workspace/is-empty-warehouse.ts";
import { findWarehouse, translateWarehouseError, WarehouseDamagedError } from "../../workspace/warehouse.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export type Examined =
  | { state: "missing" | "empty" | "whole" | "unreadable" }
  /** What was loaded can be read. */
  | { state: "mart lacking" | "mart damaged"; damage: string };

/** Reads every row of every table, which shows damage anywhere. */
export async function examineWarehouse({ folder, settings, signal }: Workspace): Promise<Examined> {
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

async function examine(warehouse: DuckDb, path: string, signal: AbortSignal): Promise<Examined> {
  const tables = await listNames(
    warehouse,
    "select schema_name || '.' || table_name as name from duckdb_tables() order by schema_name = 'core' desc, name",
  );
  for (const name of tables) {
    signal.throwIfAborted();
    try {
      // Of all columns: a count alone reads none.
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
