import { instantType } from "../../../engines/duckdb/file-types.ts";
import type { ColumnType } from "../../report.ts";

/** DuckDB's types of a report's columns in a Parquet file. */
export const parquetTypes: Readonly<Record<ColumnType, string>> = {
  text: "varchar",
  integer: "bigint",
  number: "double",
  share: "double",
  date: "date",
  instant: instantType,
  local_time: "timestamp",
  boolean: "boolean",
};
