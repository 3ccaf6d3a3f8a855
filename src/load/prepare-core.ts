import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { applyReference } from "./reference/apply-reference.ts";
import { prepareRules } from "./rules/campaign-dates.ts";

/** What models need in `core` beside what was loaded: the analysts' files, and campaigns' rules as dates. */
export async function prepareCore(warehouse: DuckDb, referenceFolder: string): Promise<void> {
  await applyReference(warehouse, referenceFolder);
  await prepareRules(warehouse);
}
