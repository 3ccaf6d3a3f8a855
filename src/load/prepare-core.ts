import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { applyReference } from "./reference/apply-reference.ts";
import { prepareRules } from "./rules/campaign-dates.ts";

/**
 * Prepares the model inputs that do not depend on new landings: reference files, and dates of campaign rules.
 */
export async function prepareCore(warehouse: DuckDb, referenceFolder: string): Promise<void> {
  await applyReference(warehouse, referenceFolder);
  await prepareRules(warehouse);
}
