import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { applyReference } from "./reference/apply-reference.ts";
import { prepareRules } from "./rules/campaign-dates.ts";

/** Prepares the remaining inputs of models in `core`: reference files, and campaigns' rules as dates. */
export async function prepareCore(warehouse: DuckDb, referenceFolder: string): Promise<void> {
  await applyReference(warehouse, referenceFolder);
  await prepareRules(warehouse);
}
