import { randomBytes } from "node:crypto";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { sqlTimestamp } from "../../engines/sql-text.ts";
import { readSql } from "../../util/files/package-files.ts";
import { declareTables } from "../declare-tables.ts";
import { setVariables } from "../load-variables.ts";
import type { OpenLanding } from "./open-landing.ts";
import { filePattern } from "./read-lines.ts";

/** Version of the rules by which lines become records. Pieces read by another version are read again. */
const rulesVersion = "2";

/**
 * Declares what the steps of a load meet in, with the landings in it.
 * @param landings several are walks of one kind
 */
export async function declareLoad(
  warehouse: DuckDb,
  landings: readonly [OpenLanding, ...OpenLanding[]],
  loadedAt: Date,
): Promise<void> {
  const [first] = landings;
  // A view over a file can't be declared without one.
  await setVariables(warehouse, { read_file: filePattern(first.path) });
  await declareTables(warehouse, "history");
  const rows = landings.map((landing) => ({
    load_id: landing.loadId,
    landing_id: landing.landingId,
    zone_id: landing.zoneId ?? null,
    requested_at: sqlTimestamp(landing.requestedAt),
    latest_played_at: sqlTimestamp(landing.latestPlayedAt),
    loaded_at: sqlTimestamp(loadedAt),
    is_complete: landing.isComplete,
    bytes: landing.bytes,
  }));
  await warehouse.run(readSql("load/history/take_landings.sql"), [JSON.stringify(rows)]);
  const last = landings.reduce((left, right) => (left.requestedAt > right.requestedAt ? left : right));
  await setVariables(warehouse, {
    kind: first.kind,
    source: first.source,
    group_id: first.groupId ?? null,
    load_id: first.loadId,
    requested_at: sqlTimestamp(last.requestedAt),
    latest_played_at: sqlTimestamp(last.latestPlayedAt),
    read_by: rulesVersion,
    hash_key: randomBytes(16).toString("hex"),
  });
}
