import { instantType } from "../../../engines/duckdb/file-types.ts";
import type { ColumnType, ReportColumn } from "../../report.ts";

/** DuckDB's type of a report's column in a Parquet file. */
export function parquetType({ type, decimal }: ReportColumn): string {
  return decimal ? `decimal(${decimal.width}, ${decimal.scale})` : parquetTypes[type];
}

const parquetTypes: Readonly<Record<ColumnType, string>> = {
  text: "varchar",
  integer: "bigint",
  number: "double",
  share: "double",
  date: "date",
  instant: instantType,
  local_time: "timestamp",
  boolean: "boolean",
};
