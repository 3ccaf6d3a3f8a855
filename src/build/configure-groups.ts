import type { Engine } from "../engines/engine.ts";
import { insertRows } from "../engines/statements.ts";

/** Stores the collected groups for models. If there are none, models use every group ever seen. */
export async function configureGroups(engine: Engine, groupIds: readonly number[]): Promise<void> {
  await engine.run("delete from core.configured_group");
  const rows = [...new Set(groupIds)].map((groupId) => [groupId]);
  await insertRows(engine, "core.configured_group", { group_id: "bigint" }, rows);
}
