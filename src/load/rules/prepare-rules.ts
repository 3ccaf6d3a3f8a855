import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { readSql } from "../../util/files/sql-file.ts";
import { declareTables } from "../declare-tables.ts";
import { expandRules } from "./campaign-dates.ts";

/**
 * All that a build needs to know of campaigns' rules, in one transaction: their dates, and at which local time zones
 * reach an UNTIL on days on which their clocks change. Days on which another time zone says otherwise than before become
 * dirty.
 */
export async function prepareRules(warehouse: DuckDb): Promise<void> {
  await warehouse.transaction(async () => {
    await expandRules(warehouse);
    await declareTables(warehouse, "rule");
    await warehouse.run(readSql("load/rule/renew_zone_untils.sql"));
  });
}
