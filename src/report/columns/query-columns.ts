import type { SqlValue } from "../../engines/duckdb-values.ts";
import type { ColumnType, ReportValue } from "../report.ts";
import { instantText, localTimeText } from "../text/time-text.ts";

/**
 * What a query's column holds, by DuckDB's type. A plain timestamp does not say whether it is an instant: in the
 * mart only columns named `…_local` hold local times, so any other is an instant, written with a Z.
 */
export function queryColumnType(name: string, type: string): ColumnType {
  if (/^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER)$/.test(type)) return "integer";
  if (/^(FLOAT|DOUBLE|DECIMAL\b)/.test(type)) return "number";
  if (type === "BOOLEAN") return "boolean";
  if (type === "DATE") return "date";
  if (type === "TIMESTAMP WITH TIME ZONE" || type === "TIMESTAMPTZ") return "instant";
  if (type === "TIMESTAMP") return name.endsWith("_local") ? "local_time" : "instant";
  return "text";
}

/** A value as formats take it: texts are texts, lists and structs become JSON. */
export function queryValue(value: SqlValue, type: ColumnType): ReportValue {
  if (value === null) return null;
  if (typeof value === "object") return JSON.stringify(value, bigintAsText);
  if (type === "instant") return instantText(String(value));
  if (type === "local_time") return localTimeText(String(value));
  return type === "text" ? String(value) : value;
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
