import { messageOf } from "../../util/text/message-of.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { clearLeftovers } from "./clear-leftovers.ts";
import { repairHome } from "./repair-home.ts";
import { repairWarehouse } from "./repair-warehouse.ts";
import { restoreCurrent } from "./restore-current.ts";

/**
 * Mends what can be mended without losing anything that can't be had again: what runs that were killed left behind,
 * modes of files, a link that is gone, a warehouse that is lost or damaged. It is a run of its own: nothing is touched while another one lives.
 * @returns what was done, one line each
 * @throws {RunLockedError} when another run works on the data folder
 */
export async function repair(workspace: Workspace): Promise<string[]> {
  const { runs } = workspace.state;
  const killed = runs.list(1000).filter(({ status }) => status === "running");
  const end = runs.begin("doctor --repair");
  try {
    const done = [
      ...killed.map(({ run_id, command, pid }) => closed(run_id, command, pid)),
      ...repairHome(workspace.settings.get("VENUE_HOME")),
      ...(await clearLeftovers(workspace)),
      ...(await restoreCurrent(workspace.folder.published, workspace.signal)),
      ...(await repairWarehouse(workspace)),
    ];
    end({ status: "succeeded", exitCode: 0, note: `${done.length} mended`, summary: { done } });
    return done;
  } catch (error) {
    end({ status: "failed", exitCode: 1, note: messageOf(error) });
    throw error;
  }
}

function closed(runId: number, command: string, pid: number): string {
  return `closed run ${runId} (venue ${command}): its process ${pid} was killed, and its lock is taken away`;
}
