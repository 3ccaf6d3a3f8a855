import { join } from "node:path";
import { fromFile, instantType, toFile, typeInFiles } from "../engines/duckdb/file-types.ts";
import { sqlName } from "../engines/sql-text.ts";
import { listModels } from "../mart/model.ts";

/** Returns the folder of the manifests. Paths in manifests are relative to the lake. */
export function machinesFolder(lake: string): string {
  return join(lake, "machines");
}

/** Returns the path of a machine's manifest. All files that a manifest names are complete. */
export function manifestFile(lake: string, machine: string): string {
  return join(machinesFolder(lake), `${machine}.json`);
}

/** Returns the folder of a machine's files for a table, relative to the lake. */
export function machineFolder(table: string, machine: string): string {
  return `core/${table}/machine=${machine}`;
}

/**
 * Returns the path of a data file, relative to the lake.
 * @param month `YYYY-MM`, for a table with one file per month
 * @param version identifies the content, so that a file is never replaced with different rows
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

/** Tables that are not in the lake, because each machine that builds writes its own during a build. */
export const builderTables: ReadonlySet<string> = new Set(["build_setting", "restatement", "version"]);

/** Tables that only the scripts in `sql/lake/` read, to combine machines. */
const unionTables = ["reference_file"];

/** The only table with one file per month; all other tables have a single file. */
export const tableByMonth = "play";

/** Lists the names of the `core` tables in a lake: those that models or the scripts in `sql/lake/` read. */
export function listLakeTables(): string[] {
  const read = listModels().flatMap((model) => model.reads);
  const tables = read.flatMap((name) => (name.startsWith("core.") ? [name.slice("core.".length)] : []));
  return [...new Set([...tables, ...unionTables])].filter((table) => !builderTables.has(table)).sort();
}

/** DuckDB types that Hive has too, by their DuckDB names. */
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

/** A column in the lake's files. */
export interface LakeColumn {
  name: string;
  type: LakeType;
}

/** Columns (`table.column`) that are not in the lake, because only the machine itself uses them. */
const notInLake = new Set(["play.piece_id"]);

/**
 * Returns the columns that the lake stores for a table of `core`, in order.
 * @param described the table's columns with their DuckDB types
 * @throws if a type has no counterpart in the lake, which is a bug
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

/** Returns the type that models see for a column. */
export function readType({ type }: LakeColumn): string {
  return type === instantType ? "TIMESTAMP" : type;
}

/** Returns SQL that converts a column from its type in files to the type that models see. */
export function readColumn({ name, type }: LakeColumn): string {
  return fromFile(sqlName(name), type);
}

/** Returns SQL that converts a column from the type that models see to its type in files. */
export function writeColumn({ name, type }: LakeColumn): string {
  return toFile(sqlName(name), type);
}
