import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { readSql } from "../util/files/package-files.ts";

/** Recomputes the days of the zones in `temp.touched_zone`, and adds the days that have since begun in other zones. */
export async function refreshZoneDays(warehouse: DuckDb): Promise<void> {
  if (await warehouse.find("select 1 from temp.touched_zone limit 1")) {
    await warehouse.run(readSql("load/shared/refresh_zone_days.sql"));
  }
  await warehouse.run(readSql("load/shared/begin_zone_days.sql"));
}
