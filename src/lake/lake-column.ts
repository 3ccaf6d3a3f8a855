import { fromFile, instantType, toFile, typeInFiles } from "../engines/duckdb/file-types.ts";
import { sqlName } from "../engines/sql-text.ts";

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
