import { join } from "node:path";
import { fromFile, instantType, toFile, typeInFiles } from "../engines/duckdb/file-types.ts";
import { sqlName } from "../engines/sql-text.ts";
import { listModels } from "../mart/model.ts";

/** Where a lake holds what its machines published. Paths that manifests name are relative to the lake. */

/** Holds the manifests. */
export function machinesFolder(lake: string): string {
  return join(lake, "machines");
}

/** The manifest of a machine: what it names is whole. */
export function manifestFile(lake: string, machine: string): string {
  return join(machinesFolder(lake), `${machine}.json`);
}

/** What a machine published of a table, relative to the lake. */
export function machineFolder(table: string, machine: string): string {
  return `core/${table}/machine=${machine}`;
}

/**
 * A file, relative to the lake.
 * @param month `YYYY-MM`, of a table that has a file per month
 * @param version names what the file holds: a file is never replaced by one with other rows
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

/** What Hive has, too, by DuckDB's names. */
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

/** A column of a table as the lake's files hold it. */
export interface LakeColumn {
  name: string;
  type: LakeType;
}

/** What only the machine itself can make use of, as `table.column`. */
const notInLake = new Set(["play.piece_id"]);

/**
 * The columns of a table of `core` as the lake holds them, in their order.
 * @param described the table's columns, with DuckDB's types
 * @throws of a type that has no counterpart: a bug of who added it
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

/** The type as models know it. */
export function readType({ type }: LakeColumn): string {
  return type === instantType ? "TIMESTAMP" : type;
}

/** A column of a file as models know it. */
export function readColumn({ name, type }: LakeColumn): string {
  return fromFile(sqlName(name), type);
}

/** The reverse: a column as models know it as a file holds it. */
export function writeColumn({ name, type }: LakeColumn): string {
  return toFile(sqlName(name), type);
}
