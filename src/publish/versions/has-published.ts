import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { sqlTimestamp } from "../../engines/sql-text.ts";
import type { Manifest } from "../../mart/manifest.ts";

/** By name and instant: another warehouse counts its versions on from those that it finds in the folder. */
export async function hasPublished(
  warehouse: DuckDb,
  { version, built_at: builtAt }: Manifest,
): Promise<boolean> {
  const known = await warehouse.find(
    `select version from core.version
    where version = ? and built_at = cast(? as timestamp) and published_at is not null`,
    [version, sqlTimestamp(new Date(builtAt))],
  );
  return known !== undefined;
}
