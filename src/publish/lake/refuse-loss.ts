import { join } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { escapeGlob, sqlText } from "../../engines/sql-text.ts";
import type { MachineManifest } from "../../lake/machine.ts";
import { countOf } from "../../util/text/words.ts";
import { VenueError } from "../../util/venue-error.ts";

/** Grow with every sync, and never shrink: a warehouse knows each landing that it ever published. */
const ledgers = ["load", "snapshot"] as const;

/**
 * A warehouse that was lost, or replaced by an older copy, would take from the lake what it no longer holds; so would
 * another machine that goes by the same name.
 * @throws {LakeLossError} when the warehouse does not know all that was published under the name
 */
export async function refuseLoss(warehouse: DuckDb, lake: string, before: MachineManifest): Promise<void> {
  for (const ledger of ledgers) {
    const files = before.tables[ledger]?.files ?? [];
    const missing = await countMissing(
      warehouse,
      ledger,
      files.map(({ path }) => join(lake, path)),
    );
    if (missing > 0) throw new LakeLossError(lake, before.name, countOf(missing, ledger));
  }
}

async function countMissing(warehouse: DuckDb, ledger: string, files: readonly string[]): Promise<number> {
  if (files.length === 0) return 0;
  const list = files.map((file) => sqlText(escapeGlob(file))).join(", ");
  try {
    const { missing } = await warehouse.get<{ missing: number }>(
      `select count(*) as missing from read_parquet([${list}], hive_partitioning = false)
      where landing_id not in (select landing_id from core.${ledger})`,
    );
    return missing;
  } catch {
    // What is damaged or gone can't be lost.
    return 0;
  }
}

/** The lake shows what the warehouse does not know. Nothing was published. */
export class LakeLossError extends VenueError {
  override readonly name = "LakeLossError";
  readonly code = "LAKE_LOSS";
  readonly category = "damage";

  constructor(lake: string, machine: string, missing: string) {
    super(
      `The warehouse lacks ${missing} of those that ${machine} has published into ${lake}. Nothing was published; readers keep what they see. ` +
        "Was warehouse.duckdb moved away, removed, or replaced by an older copy? Put it back. Does another machine publish under this name? " +
        "Give this one another: --source. To replace what was published all the same: --accept-loss.",
    );
  }
}
