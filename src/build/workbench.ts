import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { Engine } from "../engines/engine.ts";
import { sqlText } from "../engines/sql-text.ts";
import { listModels, type Model } from "../mart/model.ts";
import type { Topic } from "../mart/topic.ts";
import { kinds } from "../util/kind.ts";
import { type DayRange, listWholeRanges } from "./dirty-days.ts";

/** So many are grouped in little memory, and quicker than all at once. */
const playsAtOnce = 1_500_000;

/** Where a build works: an engine, and what is done there in a way of its own. */
export interface Workbench {
  readonly engine: Engine;
  /** All models, as they are built here. */
  readonly models: readonly Model[];
  /** Runs `body`: readers see all of what it changed, or nothing. */
  atomically<Result>(body: () => Promise<Result>): Promise<Result>;
  /** What was built before, by `schema.table`. */
  listBuilt(): Promise<Map<string, "table" | "view">>;
  /** Makes the model's table hold what a select says, whether or not there is one already. */
  fillTable(model: Model, select: string): Promise<void>;
  /** The ranges of days, one after another, by which a model by day is built from nothing; `undefined`: all at once. */
  listWholeRanges(topic: Topic): Promise<DayRange[] | undefined>;
}

/** The workbench of one machine: its own warehouse, in one transaction. */
export function onWarehouse(warehouse: DuckDb): Workbench {
  return {
    engine: warehouse,
    models: listModels(),
    atomically: (body) => warehouse.transaction(body),
    listBuilt: async () => {
      const built = await warehouse.all<{ name: string; type: "table" | "view" }>(
        `select schema_name || '.' || table_name as name, 'table' as type from duckdb_tables()
        where schema_name in ('staging', 'mart')
        union all
        select schema_name || '.' || view_name as name, 'view' as type from duckdb_views()
        where schema_name in ('staging', 'mart')`,
      );
      return new Map(built.map(({ name, type }) => [name, type]));
    },
    fillTable: async (model, select) => {
      await warehouse.run(`create or replace table ${model.name} as ${withCompactKind(model, select)}`);
    },
    listWholeRanges: (topic) => listWholeRanges(warehouse, topic, playsAtOnce),
  };
}

/** Where a table may have many rows, its kinds are kept as numbers: texts are what takes longest to store. */
function withCompactKind({ built, columns }: Model, select: string): string {
  if (built.by !== "day" || !columns.some(({ name }) => name === "kind")) return select;
  // In this order they sort as their texts do.
  const names = [...kinds].sort().map(sqlText);
  return `select * replace (cast(kind as enum (${names.join(", ")})) as kind) from (${select}\n) as model`;
}
