import type { DuckDb } from "../engines/duckdb.ts";

/** Tells models which groups are collected; none: every group that was ever seen counts. */
export async function configureGroups(warehouse: DuckDb, groupIds: readonly number[]): Promise<void> {
  await warehouse.run("delete from core.configured_group");
  for (const groupId of new Set(groupIds)) {
    await warehouse.run("insert into core.configured_group (group_id) values (?)", [groupId]);
  }
}
