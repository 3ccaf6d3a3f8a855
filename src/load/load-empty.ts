import type { DuckDb } from "../engines/duckdb.ts";
import { sqlTimestamp } from "../engines/sql-text.ts";
import type { LoadOptions, ReadableLanding } from "./history-landing.ts";
import { enterLoad, type LoadResult, takeLoadId } from "./ledger.ts";
import { setVariables } from "./load-variables.ts";
import { beginZoneDays } from "./zone-days.ts";

const nothing = {
  lines: 0,
  newPlays: 0,
  changed: 0,
  unchanged: 0,
  duplicate: 0,
  rejected: 0,
  blank: 0,
  zeroSecond: 0,
  vanished: 0,
};

/** A walk that found nothing new: that it was made is entered, and there is nothing to read. */
export async function loadEmpty(
  warehouse: DuckDb,
  landing: Omit<ReadableLanding, "readPath">,
  { loadedAt }: LoadOptions,
): Promise<LoadResult> {
  return await warehouse.transaction(async () => {
    const loadId = await takeLoadId(warehouse);
    await setVariables(warehouse, {
      kind: landing.kind,
      source: landing.source,
      group_id: landing.groupId ?? null,
      load_id: loadId,
      requested_at: sqlTimestamp(landing.requestedAt),
    });
    const result = await enterLoad(warehouse, landing, nothing, loadedAt);
    await beginZoneDays(warehouse);
    return result;
  });
}
