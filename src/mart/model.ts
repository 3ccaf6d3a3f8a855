import { listSql, readSql } from "../util/files/package-files.ts";
import { type ModelHeader, parseModelHeader } from "./model-header.ts";

/** One select under `sql/models/`: folder = schema, file = table. */
export interface Model extends ModelHeader {
  schema: "staging" | "mart";
  table: string;
  /** `schema.table` */
  name: string;
  /** The whole file. */
  sql: string;
}

/** All models, by name. @throws {SyntaxError} when a header is malformed */
export function listModels(): Model[] {
  return (["staging", "mart"] as const).flatMap((schema) =>
    listSql(`models/${schema}`).map((file) => readModel(schema, file.slice(0, -".sql".length))),
  );
}

/** @throws {SyntaxError} when its header is malformed */
export function readModel(schema: Model["schema"], table: string): Model {
  const sql = readSql(`models/${schema}/${table}.sql`);
  const name = `${schema}.${table}`;
  return { schema, table, name, sql, ...parseModelHeader(name, sql) };
}
