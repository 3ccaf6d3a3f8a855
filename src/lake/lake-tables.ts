import { listModels } from "../mart/model.ts";

/** What a builder writes itself while it builds: another one has its own. */
export const builderTables: ReadonlySet<string> = new Set(["build_setting", "restatement", "version"]);

/** What only those read who take several machines together: `sql/lake/`. */
const unionTables = ["reference_file"];

/** The table that has a file per month of its dates; all others have one file. */
export const tableByMonth = "play";

/** The tables of `core` that models, or the union of machines, read, and a lake therefore holds, e.g. `play`; by name. */
export function listLakeTables(): string[] {
  const read = listModels().flatMap((model) => model.reads);
  const tables = read.flatMap((name) => (name.startsWith("core.") ? [name.slice("core.".length)] : []));
  return [...new Set([...tables, ...unionTables])].filter((table) => !builderTables.has(table)).sort();
}
