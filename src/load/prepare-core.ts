import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { applyFiles } from "./reference/apply-reference.ts";
import { type CheckedReference, checkReference } from "./reference/check-reference.ts";
import { prepareRules } from "./rules/campaign-dates.ts";

/**
 * Prepares the other inputs of models in `core`: applies reference files, and expands campaign rules to dates.
 * @returns the reference files, including those that were not applied
 */
export async function prepareCore(warehouse: DuckDb, referenceFolder: string): Promise<CheckedReference[]> {
  const files = await checkReference(warehouse, referenceFolder);
  await applyFiles(warehouse, files);
  await prepareRules(warehouse);
  return files;
}
