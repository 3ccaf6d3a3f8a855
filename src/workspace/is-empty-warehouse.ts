import type { DuckDb } from "../engines/duckdb/duckdb.ts";

/** Whether nothing was ever loaded: a build makes a lost warehouse anew, without a row. */
export async function isEmptyWarehouse(warehouse: DuckDb): Promise<boolean> {
  const { loaded } = await warehouse.get<{ loaded: number }>(
    "select (select count(*) from core.load) + (select count(*) from core.snapshot) as loaded",
  );
  return loaded === 0;
}
