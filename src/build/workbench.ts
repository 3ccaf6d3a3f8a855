import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { Engine } from "../engines/engine.ts";
import { sqlText } from "../engines/sql-text.ts";
import { listModels, type Model } from "../mart/model.ts";
import { clearPending, distributeMarks, selectPending } from "../mart/pending-days.ts";
import { type Topic, topics, topicTables } from "../mart/topic.ts";
import { kinds } from "../util/kind.ts";
import { type DayRange, listWholeRanges } from "./dirty-days.ts";

/** Number of plays to group in one statement. It takes little memory, and is faster than grouping all plays at once. */
const playsAtOnce = 1_500_000;

/** The engine of a build, with the operations that differ by engine. */
export interface Workbench {
  readonly engine: Engine;
  readonly models: readonly Model[];
  /** Runs `body`; readers see all of its changes or none. */
  atomically<Result>(body: () => Promise<Result>): Promise<Result>;
  /** Enters the days that changed since the last build into `core.dirty_…`. */
  takeMarks(): Promise<void>;
  /** Lists existing tables and views, keyed by `schema.table`. */
  listBuilt(): Promise<Map<string, "table" | "view">>;
  /** Replaces the content of the model's table with the result of a select, creating the table if needed. */
  fillTable(model: Model, select: string): Promise<void>;
  /** Lists day ranges in which to build a day model from scratch; `undefined` means all at once. */
  listWholeRanges(topic: Topic): Promise<DayRange[] | undefined>;
}

/** The workbench of one machine: its warehouse, in one transaction. */
export function createWarehouseWorkbench(warehouse: DuckDb): Workbench {
  return {
    engine: warehouse,
    models: listModels(),
    atomically: (body) => warehouse.transaction(body),
    takeMarks: async () => {
      await distributeMarks(warehouse);
      for (const topic of topics)
        await warehouse.run(`insert into ${topicTables[topic].dirty} ${selectPending("build", topic)}`);
      await clearPending(warehouse, "build");
    },
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

/** Stores kinds as numbers in tables that may have many rows, because strings take longest to store. */
function withCompactKind({ built, columns }: Model, select: string): string {
  if (built.by !== "day" || !columns.some(({ name }) => name === "kind")) return select;
  // Enum values in alphabetical order sort like the strings.
  const names = [...kinds].sort().map(sqlText);
  return `select * replace (cast(kind as enum (${names.join(", ")})) as kind) from (${select}\n) as model`;
}
