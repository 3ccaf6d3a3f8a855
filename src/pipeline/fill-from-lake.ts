import { type FillSummary, fillCore } from "../build/lake/fill-core.ts";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { LakeDamagedError } from "../lake/errors.ts";
import { manifestFile } from "../lake/layout.ts";
import { closeLake, openLake } from "../lake/read-lake.ts";
import { ruleExpander } from "../load/rules/campaign-dates.ts";
import { listMachinesWithFolders } from "../publish/lake/machine-folders.ts";
import { VenueError } from "../util/venue-error.ts";
import { claimForLake } from "../workspace/warehouse.ts";
import type { Workspace } from "../workspace/workspace.ts";

/**
 * Brings `core` up to date with a lake, in place of what sync, load and reference files bring. What fails leaves the
 * warehouse as it was.
 * @throws {VenueError} `OWN_LOADS` when the warehouse holds what this machine loaded itself
 * @throws {LakeDamagedError} and what else reading a lake throws
 */
export async function fillFromLake(
  warehouse: DuckDb,
  { folder, signal, logger, progress }: Workspace,
  { lake, isFull }: { lake: string; isFull: boolean },
): Promise<FillSummary> {
  progress.show(`Reading ${lake}`);
  try {
    const machines = await openLake(warehouse, lake);
    return await warehouse.interruptible(signal, () =>
      warehouse.transaction(async () => {
        const other = await claimForLake(warehouse, folder.warehouseFile, lake);
        const filled = await fillCore(warehouse, { rules: ruleExpander, machines, isFull, signal, logger });
        refuseLostManifests(lake, filled.gone);
        if (other === undefined || filled.gone.length === 0) return filled;
        // Nobody took them out of this lake: what they collected is not to leave the figures by mistake.
        await warehouse.run("delete from core.lake_gone");
        logger.warn(
          `The figures are built from ${lake}; until now, it was ${other}. Not in it: ${filled.gone.join(", ")}.`,
        );
        return { ...filled, gone: [] };
      }),
    );
  } catch (error) {
    throw nameMachine(error);
  } finally {
    await closeLake(warehouse);
    progress.clear();
  }
}

/** DuckDB names the file that it can't read, and its folder the machine. */
function nameMachine(error: unknown): unknown {
  if (error instanceof VenueError || !(error instanceof Error)) return error;
  const [, machine] = /\/machine=([\w-]+)\//.exec(error.message) ?? [];
  return machine === undefined ? error : new LakeDamagedError(machine, error.message, { cause: error });
}

/**
 * Whoever takes a machine out of a lake takes its files, too: where these are there, its manifest is lost.
 * @param gone machines that the lake had, and of which it has no manifest now
 * @throws {LakeDamagedError} naming the first whose manifest is lost
 */
export function refuseLostManifests(lake: string, gone: readonly string[]): void {
  const withFolders = gone.length > 0 ? listMachinesWithFolders(lake) : [];
  const lost = gone.find((machine) => withFolders.includes(machine));
  if (lost !== undefined) throw new LakeDamagedError(lost, `${manifestFile(lake, lost)} is missing`);
}
