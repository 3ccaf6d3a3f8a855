import type { DuckDBDateValue, DuckDBTimestampTZValue, DuckDBValueConverter } from "@duckdb/node-api";
import { narrow, narrowDecimal, type SqlValue } from "../sql-text.ts";
import { duckDbLibrary } from "./duckdb-library.ts";

const { DuckDBTimestampValue, DuckDBTypeId } = duckDbLibrary;

/** Converts DuckDB's value objects to plain values, in the formats that `Engine` describes. */
export const toPlainValue: DuckDBValueConverter<SqlValue> = (value, type, converter) => {
  if (value === null) return null;
  switch (type.typeId) {
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UHUGEINT:
      return narrow(BigInt(value as bigint));
    case DuckDBTypeId.DECIMAL:
      return narrowDecimal(value.toString());
    case DuckDBTypeId.DATE: {
      const date = value as DuckDBDateValue;
      // The library formats an infinite date as a day in the year 5881580.
      return date.isFinite ? date.toString() : date.days > 0 ? "infinity" : "-infinity";
    }
    case DuckDBTypeId.TIMESTAMP_TZ:
      // The library would format it in the time zone of this process.
      return new DuckDBTimestampValue((value as DuckDBTimestampTZValue).micros).toString();
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY: {
      const { items } = value as { items: readonly never[] };
      const { valueType } = type as { valueType: Parameters<typeof converter>[1] };
      return items.map((item) => toPlainValue(item, valueType, converter) ?? null);
    }
    default:
      return typeof value === "object" ? value.toString() : (value as string | number | boolean);
  }
};
