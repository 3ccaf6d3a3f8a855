import { join } from "node:path";
import { fromFile, instantType, toFile, typeInFiles } from "../engines/duckdb/file-types.ts";
import { sqlName } from "../engines/sql-text.ts";
import { listModels } from "../mart/model.ts";

/** The folder of the manifests. Paths in manifests are relative to the lake. */
export function machinesFolder(lake: string): string {
  return join(lake, "machines");
}

/** The manifest of a machine. The files it names are complete. */
export function manifestFile(lake: string, machine: string): string {
  return join(machinesFolder(lake), `${machine}.json`);
}

/** The folder of a machine's files for a table, relative to the lake. */
export function machineFolder(table: string, machine: string): string {
  return `core/${table}/machine=${machine}`;
}

/**
 * Path of a file, relative to the lake.
 * @param month `YYYY-MM`, for a table with one file per month
 * @param version identifies the content: a file is never replaced by one with other rows
 */
export function dataFile(file: {
  table: string;
  machine: string;
  month?: string | undefined;
  version: string;
}): string {
  const { table, machine, month, version } = file;
  const folder = machineFolder(table, machine);
  return `${folder}/${month === undefined ? "" : `month=${month}/`}${version}/data.parquet`;
}

/** Tables that a builder writes itself during a build; each builder has its own. */
export const builderTables: ReadonlySet<string> = new Set(["build_setting", "restatement", "version"]);

/** Tables read only by the union of machines in `sql/lake/`. */
const unionTables = ["reference_file"];

/** The table with one file per month of its dates; all others have one file. */
export const tableByMonth = "play";

/** Lists the tables of `core` in a lake by name: those read by models or by the union of machines. */
export function listLakeTables(): string[] {
  const read = listModels().flatMap((model) => model.reads);
  const tables = read.flatMap((name) => (name.startsWith("core.") ? [name.slice("core.".length)] : []));
  return [...new Set([...tables, ...unionTables])].filter((table) => !builderTables.has(table)).sort();
}

/** Types that Hive also has, by DuckDB's names. */
export const lakeTypes = [
  "BIGINT",
  "INTEGER",
  "DOUBLE",
  "BOOLEAN",
  "VARCHAR",
  "DATE",
  "TIMESTAMP",
  instantType,
] as const;
type LakeType = (typeof lakeTypes)[number];

/** A column of a table as stored in the lake's files. */
export interface LakeColumn {
  name: string;
  type: LakeType;
}

/** Columns of use only to the machine itself, as `table.column`. */
const notInLake = new Set(["play.piece_id"]);

/**
 * Returns the columns of a table of `core` as stored in the lake, in order.
 * @param described the table's columns with DuckDB's types
 * @throws on a type without a counterpart: a bug
 */
export function toLakeColumns(
  table: string,
  described: readonly { name: string; type: string }[],
): LakeColumn[] {
  return described
    .filter(({ name }) => !notInLake.has(`${table}.${name}`))
    .map(({ name, type }) => ({ name, type: toLakeType(`${table}.${name}`, type) }));
}

function toLakeType(column: string, type: string): LakeType {
  if (type === "SMALLINT") return "INTEGER";
  const inFiles = typeInFiles(column, type);
  const same = lakeTypes.find((known) => known === inFiles);
  if (same === undefined) throw new TypeError(`core.${column}: ${type} has no counterpart in the lake`);
  return same;
}

/** Returns a column's type as models see it. */
export function readType({ type }: LakeColumn): string {
  return type === instantType ? "TIMESTAMP" : type;
}

/** Converts a column from a file to the type that models see. */
export function readColumn({ name, type }: LakeColumn): string {
  return fromFile(sqlName(name), type);
}

/** Converts a column from the type that models see to that of a file. */
export function writeColumn({ name, type }: LakeColumn): string {
  return toFile(sqlName(name), type);
}
