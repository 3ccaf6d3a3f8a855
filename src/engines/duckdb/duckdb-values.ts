import type { DuckDBTimestampTZValue, DuckDBValueConverter } from "@duckdb/node-api";
import { narrow, narrowDecimal, type SqlValue } from "../sql-values.ts";
import { duckDbLibrary } from "./duckdb-library.ts";

const { DuckDBTimestampValue, DuckDBTypeId } = duckDbLibrary;

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
      return narrowDecimal(value.toString());
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
