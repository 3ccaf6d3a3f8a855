import type { DuckDBDataChunk, DuckDBTimestampTZValue, DuckDBValueConverter } from "@duckdb/node-api";
import bindings from "@duckdb/node-bindings";
import { narrow, narrowDecimal, type SqlValue } from "../sql-text.ts";
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

/** A text of more bytes lies elsewhere than in its row; shorter ones lie in it. */
const longestInline = 12;
/** Bytes of a text's place in a column: its length, then the text itself or, of a long one, where it lies. */
const placeBytes = 16;
/** The smallest page of memory on any machine: whoever may read on both sides of a shorter gap may read the gap. */
const pageBytes = 4096;

/** The values of one column of a chunk, as rows give them. */
export function columnValues(chunk: DuckDBDataChunk, column: number): SqlValue[] {
  return chunk.convertColumnValues(column, toPlainValue) as SqlValue[];
}

/** The values of one column of a chunk as DuckDB holds them, valid until the next chunk is read. */
export function columnBytes(chunk: DuckDBDataChunk, column: number, bytesPerValue: number): Uint8Array {
  return bindings.vector_get_data(vectorOf(chunk, column), chunk.rowCount * bytesPerValue);
}

/** A bit per row, the lowest first, unset where the value is null; `undefined` when none is. */
export function columnValidity(chunk: DuckDBDataChunk, column: number): Uint8Array | undefined {
  const bytes = Math.ceil(chunk.rowCount / 64) * 8;
  return bindings.vector_get_validity(vectorOf(chunk, column), bytes) ?? undefined;
}

/** The UTF-8 of each row of a text column; what a null row is given is of no meaning. */
export function eachText(
  chunk: DuckDBDataChunk,
  column: number,
  validity: Uint8Array | undefined,
  take: (row: number, bytes: Uint8Array, start: number, end: number) => void,
): void {
  const places = columnBytes(chunk, column, placeBytes);
  const words = new Uint32Array(places.buffer, places.byteOffset, chunk.rowCount * 4);
  const address = (row: number) => (words[row * 4 + 3] ?? 0) * 2 ** 32 + (words[row * 4 + 2] ?? 0);
  let row = 0;
  while (row < chunk.rowCount) {
    const length = words[row * 4] ?? 0;
    if (isNull(validity, row) || length <= longestInline) {
      const start = row * placeBytes + 4;
      take(row, places, start, start + (isNull(validity, row) ? 0 : length));
      row += 1;
      continue;
    }
    // Asking for a text's bytes costs far more than reading them: those that follow each other in memory come at once.
    const first = row;
    const begin = address(first);
    let end = begin + length;
    for (row += 1; row < chunk.rowCount; row += 1) {
      if (isNull(validity, row) || (words[row * 4] ?? 0) <= longestInline) continue;
      if (address(row) < begin || address(row) >= end + pageBytes) break;
      end = Math.max(end, address(row) + (words[row * 4] ?? 0));
    }
    const texts = bindings.get_data_from_pointer(
      places.buffer as ArrayBuffer,
      places.byteOffset + first * placeBytes + 8,
      end - begin,
    );
    for (let member = first; member < row; member += 1) {
      const size = isNull(validity, member) ? 0 : (words[member * 4] ?? 0);
      if (size <= longestInline) {
        const start = member * placeBytes + 4;
        take(member, places, start, start + size);
      } else {
        const start = address(member) - begin;
        take(member, texts, start, start + size);
      }
    }
  }
}

export function isNull(validity: Uint8Array | undefined, row: number): boolean {
  return validity !== undefined && ((validity[row >> 3] ?? 0) & (1 << (row & 7))) === 0;
}

function vectorOf(chunk: DuckDBDataChunk, column: number): ReturnType<typeof bindings.data_chunk_get_vector> {
  return bindings.data_chunk_get_vector(chunk.chunk, column);
}
