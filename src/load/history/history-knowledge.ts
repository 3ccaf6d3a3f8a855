import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { ExportedZone, HistoryKnowledge, HistorySize } from "../../state/data/histories.ts";
import { readSql } from "../../util/files/package-files.ts";

/** Reads the sizes of loaded histories and the zones in exports, to plan the next collection. */
export async function readHistoryKnowledge(warehouse: DuckDb): Promise<HistoryKnowledge> {
  return {
    sizes: await warehouse.all<HistorySize & Record<string, string | number>>(
      readSql("sync/zone_history.sql"),
    ),
    zones: await warehouse.all<ExportedZone & Record<string, number>>(readSql("sync/zone_groups.sql")),
  };
}
