import type { Runs } from "../../state/data/runs.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { clearLeftovers } from "./clear-leftovers.ts";
import { repairHome } from "./repair-home.ts";
import { repairWarehouse } from "./repair-warehouse.ts";
import { restoreCurrent } from "./restore-current.ts";

/**
 * Mends what can be mended without losing anything that can't be had again: what runs that were killed left behind,
 * modes of files, a link that is gone, a warehouse that is lost or damaged. For a run of its own: nothing is touched
 * while another one lives.
 * @returns what was done, one line each
 */
export async function repair(workspace: Workspace): Promise<string[]> {
  return [
    ...repairHome(workspace.settings.get("VENUE_HOME")),
    ...(await clearLeftovers(workspace)),
    ...(await restoreCurrent(workspace.folder.published, workspace.signal)),
    ...(await repairWarehouse(workspace)),
  ];
}

/** What the next run to begin does about those that were killed, one line each. */
export function listClosing(runs: Runs): string[] {
  return runs
    .list(1000)
    .filter(({ status }) => status === "running")
    .map(
      ({ run_id, command, pid }) =>
        `closed run ${run_id} (venue ${command}): its process ${pid} was killed, and its lock is taken away`,
    );
}
