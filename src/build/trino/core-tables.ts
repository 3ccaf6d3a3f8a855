import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { Engine } from "../../engines/engine.ts";
import { sqlName } from "../../engines/sql-text.ts";
import { insertRows } from "../../engines/statements.ts";
import type { CoreManifest } from "../../mart/core-manifest.ts";
import { isOfBuilds, isOnlyForLoads, listLoadedTables } from "../../mart/loaded-tables.ts";
import { getDateColumn, listModels, type Model } from "../../mart/model.ts";
import type { ChangedDay } from "../../mart/pending-days.ts";
import { topics, topicTables } from "../../mart/topic.ts";
import { VenueError } from "../../util/venue-error.ts";
import { listWholeRanges } from "../dirty-days.ts";
import type { Workbench } from "../workbench.ts";

/** Tables that are kept if others change. Otherwise, versions would start over and restatements would be lost. */
const kept = new Set(["build_setting", "restatement", "version"]);

/**
 * Creates the tables of `core` that a build writes. If another version of the program created different tables, all
 * are recreated, except kept ones whose columns match.
 * @param template a newly created warehouse
 */
export async function createCoreTables(engine: Engine, template: DuckDb): Promise<void> {
  const wanted = groupColumns(
    (await listTemplateColumns(template)).filter(({ table }) => isOfBuilds(table)),
    toTrinoType,
  );
  const found = await listTableColumns(engine);
  const isSame = (table: string) => found.get(table)?.join() === wanted.get(table)?.join();
  if ([...wanted.keys()].every(isSame)) return;
  const isKept = (table: string) => kept.has(table) && isSame(table);
  for (const table of found.keys()) {
    if (!isKept(table)) await engine.run(`drop table core.${sqlName(table)}`);
  }
  for (const [table, columns] of wanted) {
    if (!isKept(table)) await engine.run(`create table core.${sqlName(table)} (${columns.join(", ")})`);
  }
}

/**
 * Asserts that a version has every column that this program's builds may read.
 * @throws {VenueError} `CORE_OUTDATED`
 */
export async function assertComplete(template: DuckDb, manifest: CoreManifest): Promise<void> {
  const loaded = listLoadedTables();
  const missing = (await listTemplateColumns(template)).find(
    ({ table, name, type }) =>
      loaded.includes(table) &&
      !isOnlyForLoads(table, name) &&
      !manifest.tables[table]?.columns.some(
        (column) => column.name === name && toTrinoType(column.type) === toTrinoType(type),
      ),
  );
  if (missing) throw coreOutdatedError(manifest, `core.${missing.table}.${missing.name}`);
}

async function listTemplateColumns(template: DuckDb): Promise<ColumnRow[]> {
  return await template.all<ColumnRow>(
    `select table_name as "table", column_name as name, data_type as type from duckdb_columns()
    where schema_name = 'core' order by table_name, column_index`,
  );
}

/** `name type` of each column in order, as in a `create table` statement, keyed by table. */
type TableColumns = Map<string, string[]>;

async function listTableColumns(engine: Engine): Promise<TableColumns> {
  const rows = await engine.all<ColumnRow>(
    `select table_name as "table", column_name as name, data_type as type from information_schema.columns
    where table_schema = 'core' order by table_name, ordinal_position`,
  );
  return groupColumns(rows, (type) => type);
}

type ColumnRow = Record<string, string> & { table: string; name: string; type: string };

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
  // Iceberg has no shorter integer type.
  SMALLINT: "integer",
  DOUBLE: "double",
  BOOLEAN: "boolean",
  VARCHAR: "varchar",
  DATE: "date",
  TIMESTAMP: "timestamp(6)",
  // Files store these as instants in UTC; models use plain timestamps.
  "TIMESTAMP WITH TIME ZONE": "timestamp(6)",
};

/** Returns Trino's name for a DuckDB type. @throws for a type without a counterpart, which is a bug */
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

/** Plays to group or check in one statement, which takes about half a gigabyte across all workers. */
export const playsAtOnce = 5_000_000;

/**
 * The workbench of a cluster: Iceberg tables on a branch, invisible to readers until it is merged.
 * @param changed days that changed since the last build
 */
export function createBranchWorkbench(engine: Engine, changed: readonly ChangedDay[] = []): Workbench {
  return {
    engine,
    models: listTableModels(),
    atomically: (body) => body(),
    takeMarks: async () => {
      for (const topic of topics)
        await insertRows(
          engine,
          topicTables[topic].dirty,
          { kind: "varchar", date: "date" },
          changed.flatMap((day) => (day.topic === topic ? [[day.kind, day.date]] : [])),
        );
    },
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

function coreOutdatedError({ version, software_version }: CoreManifest, missing: string): VenueError {
  return new VenueError(
    "CORE_OUTDATED",
    "usage",
    `Version ${version} of core was published by venue-analytics ${software_version}, which lacks ${missing} or stores it as another type. ` +
      "Install the same version on this machine and on the machine that loads, run `venue publish --layer core` there, and build again.",
  );
}
