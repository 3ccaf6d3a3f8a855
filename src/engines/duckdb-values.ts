import type { DuckDBTimestampTZValue, DuckDBValueConverter } from "@duckdb/node-api";
import { duckDbLibrary } from "./duckdb-library.ts";

const { DuckDBTimestampValue, DuckDBTypeId } = duckDbLibrary;

/** A value as reports, checks and tests see it. */
export type SqlValue = string | number | bigint | boolean | null | SqlValue[] | { [name: string]: SqlValue };
export type SqlRow = Record<string, SqlValue>;

/** DuckDB's value objects → plain values; see `DuckDb` for the forms. */
export const toPlainValue: DuckDBValueConverter<SqlValue> = (value, type, converter) => {
  if (value === null) return null;
  switch (type.typeId) {
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UHUGEINT:
      return narrow(BigInt(value as bigint));
    case DuckDBTypeId.DECIMAL:
      return Number(value.toString());
    case DuckDBTypeId.TIMESTAMP_TZ:
      // Its own text would follow the time zone of this process.
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

/** A whole number as `number` where that is exact. */
export function narrow(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}
