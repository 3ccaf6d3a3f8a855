import { emptyHistoryKnowledge, readHistoryKnowledge } from "../extract/plan/history-plan.ts";
import { planSync, type SyncPlan } from "../extract/plan/plan-sync.ts";
import type { SyncOptions } from "../extract/plan/sync-options.ts";
import { findWarehouse } from "../workspace/warehouse.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Plans a sync from the state that earlier syncs left. Sends no requests, and changes nothing. */
export async function plan(
  { settings, folder, state, clock }: Workspace,
  options: SyncOptions,
): Promise<SyncPlan> {
  const warehouse = await findWarehouse({
    path: folder.warehouseFile,
    memoryLimit: settings.get("VENUE_MEMORY_LIMIT"),
  });
  try {
    const knowledge = warehouse ? await readHistoryKnowledge(warehouse) : emptyHistoryKnowledge;
    return planSync({ settings, state, knowledge, now: clock.now() }, options);
  } finally {
    warehouse?.close();
  }
}
