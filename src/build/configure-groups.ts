import type { Engine } from "../engines/engine.ts";

/** Tells models which groups are collected; none: every group that was ever seen counts. */
export async function configureGroups(engine: Engine, groupIds: readonly number[]): Promise<void> {
  await engine.run("delete from core.configured_group");
  for (const groupId of new Set(groupIds)) {
    await engine.run("insert into core.configured_group (group_id) values (?)", [groupId]);
  }
}
