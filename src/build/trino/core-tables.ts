import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { Engine } from "../../engines/engine.ts";
import { sqlName } from "../../engines/sql-text.ts";
import { builderTables } from "../../lake/layout.ts";
import { getDateColumn, listModels, type Model } from "../../mart/model.ts";
import { listWholeRanges } from "../dirty-days.ts";
import type { Workbench } from "../workbench.ts";

/**
 * Creates the same tables of `core` as in a warehouse. If another version of the program created different
 * tables, all are recreated, because their content comes from the lake. Tables that a builder itself writes
 * are kept while their columns match; otherwise version numbers would start over and restatements would be
 * lost.
 * @param template a newly created warehouse
 * @returns true if the tables were created now, and are empty
 */
export async function createCoreTables(engine: Engine, template: DuckDb): Promise<boolean> {
  const wanted = await readTemplateColumns(template);
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

async function readTemplateColumns(template: DuckDb): Promise<TableColumns> {
  const rows = await template.all<{ table: string; name: string; type: string }>(
    `select table_name as "table", column_name as name, data_type as type from duckdb_columns()
    where schema_name = 'core' order by table_name, column_index`,
  );
  return groupColumns(rows, toTrinoType);
}

/** `name type` of each column in order, as in a `create table` statement, keyed by table. */
type TableColumns = Map<string, string[]>;

/** Lists the tables of a schema in Trino. @param catalog defaults to the engine's */
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

/** @param rows in column order */
function groupColumns(rows: readonly ColumnRow[], typeOf: (type: string) => string): TableColumns {
  const columns: TableColumns = new Map();
  for (const { table, name, type } of rows) {
    columns.set(table, [...(columns.get(table) ?? []), formatColumn(name, typeOf(type))]);
  }
  return columns;
}

export function formatColumn(name: string, type: string): string {
  return `${sqlName(name)} ${type}`;
}

const types: Readonly<Record<string, string>> = {
  BIGINT: "bigint",
  INTEGER: "integer",
  // Iceberg has no shorter integer.
  SMALLINT: "integer",
  DOUBLE: "double",
  BOOLEAN: "boolean",
  VARCHAR: "varchar",
  DATE: "date",
  TIMESTAMP: "timestamp(6)",
  // Files store these as instants in UTC; models use plain timestamps.
  "TIMESTAMP WITH TIME ZONE": "timestamp(6)",
};

/** Returns Trino's name for a DuckDB type. @throws on a type without a counterpart: a bug */
export function toTrinoType(type: string): string {
  const known = type.startsWith("ENUM") ? "varchar" : types[type];
  if (known === undefined) throw new TypeError(`${type} has no counterpart in Trino`);
  return known;
}

/** Lists all models as tables, including those that are views on one machine. */
export function listTableModels(): Model[] {
  const models = listModels();
  const readerViews = models.filter(
    ({ built, withoutViews }) => built.by === "view" && withoutViews.by === "reader",
  );
  return models
    .filter((model) => !readerViews.includes(model))
    .map((model) => ({ ...model, built: asTable(model), sql: inlineViews(model.sql, readerViews) }));
}

function asTable({ built, withoutViews }: Model): Model["built"] {
  return built.by === "view" && withoutViews.by !== "reader" ? withoutViews : built;
}

function inlineViews(sql: string, views: readonly Model[]): string {
  return views.reduce(
    (text, view) => text.replaceAll(new RegExp(`(from|join) ${view.name}\\b`, "g"), `$1 (${view.sql}\n)`),
    sql,
  );
}

/** Plays grouped or checked in one statement, which takes about half a gigabyte over all workers. */
export const playsAtOnce = 5_000_000;

/** The workbench of a cluster: Iceberg tables on a branch, invisible to readers until it is merged. */
export function createBranchWorkbench(engine: Engine): Workbench {
  return {
    engine,
    models: listTableModels(),
    atomically: (body) => body(),
    takeMarks: async () => {},
    listBuilt: async () => {
      const built = await engine.all<{ name: string }>(
        `select table_schema || '.' || table_name as name from information_schema.tables
        where table_schema in ('staging', 'mart')`,
      );
      return new Map(built.map(({ name }) => [name, "table"]));
    },
    fillTable: async (model, select) => {
      const { name, built } = model;
      const byMonth =
        built.by === "day" ? ` with (partitioning = array['month(${getDateColumn(model)})'])` : "";
      await engine.run(`create or replace table ${name}${byMonth} as ${select}`);
    },
    listWholeRanges: (topic) => listWholeRanges(engine, topic, playsAtOnce),
  };
}
