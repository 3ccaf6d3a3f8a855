import { instantType, typeInFiles } from "../../engines/duckdb/file-types.ts";
import type { SqlValue } from "../../engines/sql-text.ts";
import type { Unit } from "../../mart/column-definition.ts";
import type { ColumnType, ReportColumn, ReportValue } from "../result-types.ts";
import { formatInstant, formatLocalTime } from "../text/cell-text.ts";

/**
 * Maps a DuckDB type to a column type. A timestamp's type does not distinguish instants from local times: in the mart,
 * only `…_local` columns contain local times, so any other timestamp is an instant, written with a Z.
 */
export function inferColumnType(name: string, type: string): ColumnType {
  if (/^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER)$/.test(type)) return "integer";
  if (/^(FLOAT|DOUBLE|DECIMAL\b)/.test(type)) return "number";
  if (type === "BOOLEAN") return "boolean";
  if (type === "DATE") return "date";
  if (typeInFiles(name, type) === instantType || type === "TIMESTAMPTZ") return "instant";
  if (type === "TIMESTAMP") return "local_time";
  return "text";
}

export function parseDecimalType(type: string): Pick<ReportColumn, "decimal"> {
  const [, width, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? [];
  return width === undefined ? {} : { decimal: { width: Number(width), scale: Number(scale) } };
}

/** Infers the unit of a column without a definition from its name. */
export function inferUnit({ name, type }: Pick<ReportColumn, "name" | "type">): Unit {
  if (type === "share") return "share";
  if (name.endsWith("_seconds")) return "seconds";
  if (name.endsWith("_id") || name.endsWith("_key")) return "id";
  if (/(^|_)(year|quarter|month|week|day|hour)$/.test(name)) return "ordinal";
  return type === "integer" ? "count" : "number";
}

/** Converts a query's value to one that formats can write: lists and structs become JSON. */
export function toReportValue(value: SqlValue, type: ColumnType): ReportValue {
  if (value === null) return null;
  if (typeof value === "object") return JSON.stringify(value, stringifyBigint);
  if (type === "instant") return formatInstant(String(value));
  if (type === "local_time") return formatLocalTime(String(value));
  return type === "text" ? String(value) : value;
}

function stringifyBigint(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
