import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { readSql } from "../util/files/package-files.ts";

/** Finds the days of zones in `temp.touched_zone` again, and adds days that began in other zones. */
export async function refreshZoneDays(warehouse: DuckDb): Promise<void> {
  if (await warehouse.find("select 1 from temp.touched_zone limit 1")) {
    await warehouse.run(readSql("load/shared/refresh_zone_days.sql"));
  }
  await warehouse.run(readSql("load/shared/begin_zone_days.sql"));
}
