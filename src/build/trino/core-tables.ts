import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { Engine } from "../../engines/engine.ts";
import { sqlName } from "../../engines/sql-text.ts";
import { builderTables } from "../../lake/layout.ts";
import { listModels, type Model } from "../../mart/model.ts";
import { listWholeRanges } from "../dirty-days.ts";
import type { Workbench } from "../workbench.ts";

/**
 * Makes the tables of `core` as those of a warehouse. Where another version of the program made them otherwise, all are
 * made anew: what they hold comes from the lake, or follows from it. Those that a builder writes itself stay as long as
 * their columns do: else versions would begin anew with names that readers know, and restatements would be gone.
 * @param template a warehouse that was just made
 * @returns whether they were made now, and are empty
 */
export async function makeCoreTables(engine: Engine, template: DuckDb): Promise<boolean> {
  const wanted = await columnsOfTemplate(template);
  const found = await listTableColumns(engine, "core");
  const isSame = (table: string) => found.get(table)?.join() === wanted.get(table)?.join();
  if ([...wanted.keys()].every(isSame)) return false;
  const isKept = (table: string) => builderTables.has(table) && isSame(table);
  for (const table of found.keys()) {
    if (!isKept(table)) await engine.run(`drop table core.${sqlName(table)}`);
  }
  for (const [table, columns] of wanted) {
    if (isKept(table)) continue;
    const byMonth = table === "play" ? " with (partitioning = array['month(date)'])" : "";
    await engine.run(`create table core.${sqlName(table)} (${columns.join(", ")})${byMonth}`);
  }
  return true;
}

async function columnsOfTemplate(template: DuckDb): Promise<TableColumns> {
  const rows = await template.all<{ table: string; name: string; type: string }>(
    `select table_name as "table", column_name as name, data_type as type from duckdb_columns()
    where schema_name = 'core' order by table_name, column_index`,
  );
  return groupColumns(rows, trinoType);
}

/** `name type` of each column in its place, by table, as a statement that makes the table has them. */
type TableColumns = Map<string, string[]>;

/** The tables of a schema at Trino. @param catalog by default that of the engine */
export async function listTableColumns(
  engine: Engine,
  schema: string,
  catalog?: string,
): Promise<TableColumns> {
  const place = catalog === undefined ? "" : `${catalog}.`;
  const rows = await engine.all<ColumnRow>(
    `select table_name as "table", column_name as name, data_type as type from ${place}information_schema.columns
    where table_schema = ? order by table_name, ordinal_position`,
    [schema],
  );
  return groupColumns(rows, (type) => type);
}

type ColumnRow = { table: string; name: string; type: string };

/** @param rows in the order of the columns */
function groupColumns(rows: readonly ColumnRow[], typeOf: (type: string) => string): TableColumns {
  const columns: TableColumns = new Map();
  for (const { table, name, type } of rows) {
    columns.set(table, [...(columns.get(table) ?? []), columnText(name, typeOf(type))]);
  }
  return columns;
}

export function columnText(name: string, type: string): string {
  return `${sqlName(name)} ${type}`;
}

const types: Readonly<Record<string, string>> = {
  BIGINT: "bigint",
  INTEGER: "integer",
  // Iceberg has no shorter one.
  SMALLINT: "integer",
  DOUBLE: "double",
  BOOLEAN: "boolean",
  VARCHAR: "varchar",
  DATE: "date",
  TIMESTAMP: "timestamp(6)",
  // In files adjusted to UTC, for models plain.
  "TIMESTAMP WITH TIME ZONE": "timestamp(6)",
};

/** What Trino calls a column's type. @param type DuckDB's word. @throws of a type that has no counterpart: a bug */
export function trinoType(type: string): string {
  const known = type.startsWith("ENUM") ? "varchar" : types[type];
  if (known === undefined) throw new TypeError(`${type} has no counterpart at Trino`);
  return known;
}

/** All models as tables: what is a view on one machine is built as its header says for engines that publish none. */
export function listTableModels(): Model[] {
  const models = listModels();
  const heldByReaders = models.filter(
    ({ built, withoutViews }) => built.by === "view" && withoutViews.by === "reader",
  );
  return models
    .filter((model) => !heldByReaders.includes(model))
    .map((model) => ({ ...model, built: builtAsTable(model), sql: holdSelects(model.sql, heldByReaders) }));
}

function builtAsTable({ built, withoutViews }: Model): Model["built"] {
  return built.by === "view" && withoutViews.by !== "reader" ? withoutViews : built;
}

function holdSelects(sql: string, views: readonly Model[]): string {
  return views.reduce(
    (text, view) => text.replaceAll(new RegExp(`(from|join) ${view.name}\\b`, "g"), `$1 (${view.sql}\n)`),
    sql,
  );
}

/** Plays that are grouped, or checked, in one statement: in about half a gigabyte over all workers. */
export const playsAtOnce = 5_000_000;

/** The workbench of a cluster: Iceberg tables on a branch of their own, of which readers see nothing before it is merged. */
export function onBranch(engine: Engine): Workbench {
  return {
    engine,
    models: listTableModels(),
    atomically: (body) => body(),
    listBuilt: async () => {
      const built = await engine.all<{ name: string }>(
        `select table_schema || '.' || table_name as name from information_schema.tables
        where table_schema in ('staging', 'mart')`,
      );
      return new Map(built.map(({ name }) => [name, "table"]));
    },
    fillTable: async ({ name, built }, select) => {
      const byMonth = built.by === "day" ? " with (partitioning = array['month(date)'])" : "";
      await engine.run(`create or replace table ${name}${byMonth} as ${select}`);
    },
    listWholeRanges: (topic) => listWholeRanges(engine, topic, playsAtOnce),
  };
}
