import type {
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBTimestampTZValue,
  DuckDBValueConverter,
} from "@duckdb/node-api";
import bindings from "@duckdb/node-bindings";
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
      // The library writes an infinite date as a day in the year 5881580.
      return date.isFinite ? date.toString() : date.days > 0 ? "infinity" : "-infinity";
    }
    case DuckDBTypeId.TIMESTAMP_TZ:
      // The library's own text would use the time zone of this process.
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

/**
 * Returns the values of one column of a chunk, in DuckDB's layout. They are valid until the next chunk is
 * read.
 */
export function columnBytes(chunk: DuckDBDataChunk, column: number, bytesPerValue: number): Uint8Array {
  return bindings.vector_get_data(getVector(chunk, column), chunk.rowCount * bytesPerValue);
}

function getVector(
  chunk: DuckDBDataChunk,
  column: number,
): ReturnType<typeof bindings.data_chunk_get_vector> {
  return bindings.data_chunk_get_vector(chunk.chunk, column);
}
