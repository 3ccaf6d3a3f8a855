import { resolve } from "node:path";
import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import { escapeGlob, sqlTimestamp } from "../engines/sql-text.ts";
import type { ReadableLanding } from "./history-landing.ts";
import { latestPlayedAt } from "./latest-played-at.ts";
import { takeLoadId } from "./ledger.ts";
import { dropLoadTables, setVariables } from "./load-variables.ts";

/** Makes the landing's lines something that SQL can select from, and begins a load. */
export async function prepareReader(warehouse: DuckDb, landing: ReadableLanding): Promise<void> {
  const loadId = await takeLoadId(warehouse);
  await setVariables(warehouse, {
    landing_file: escapeGlob(resolve(landing.readPath)),
    kind: landing.kind,
    source: landing.source,
    group_id: landing.groupId ?? null,
    load_id: loadId,
    requested_at: sqlTimestamp(landing.requestedAt),
    latest_played_at: sqlTimestamp(latestPlayedAt(landing.requestedAt)),
  });
  await dropLoadTables(warehouse);
  // The order of the file matters nowhere but where lines are numbered, and costs time.
  await warehouse.run("set preserve_insertion_order = false");
  await warehouse.run(readSql(landing.kind === "music" ? "load/read_music.sql" : "load/read_asset.sql"));
  await warehouse.run(readSql("load/prepare.sql"));
}
