import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { loadCaseListings } from "../support/case-listings.ts";
import { insertCoreRows, markAllDirty } from "../support/core-rows.ts";
import type { ModelCase } from "./model-case.ts";

/** Inserts a case's initial `core`, all of it marked for building. For zone days, see `setZoneDays`. */
export async function insertCase(
  warehouse: DuckDb,
  { core, listings }: Pick<ModelCase, "core" | "listings">,
): Promise<void> {
  for (const [table, { rows }] of Object.entries(core)) await insertCoreRows(warehouse, table, rows);
  await markAllDirty(warehouse);
  await loadCaseListings(warehouse, listings);
}
