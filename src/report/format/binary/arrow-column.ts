import type { DuckDBDataChunk } from "@duckdb/node-api";
import { type Data, type DataType, makeData, Vector } from "apache-arrow";
import {
  columnBytes,
  columnValidity,
  columnValues,
  eachText,
  isNull,
} from "../../../engines/duckdb/duckdb-values.ts";
import { queryValue } from "../../columns/query-columns.ts";
import type { ChunkColumn, ReportColumn, ReportValue } from "../../report.ts";
import { epochDays, epochMicros } from "./epoch.ts";
import { TextDictionary } from "./text-dictionary.ts";
import { unscaled } from "./unscaled.ts";
import { ValueRefusedError } from "./value-refused-error.ts";

/** Rows of one batch at most: what is held at a time. */
export const batchRows = 65_536;

const encoder = new TextEncoder();

/** One column of the batch that is being filled. */
export class ArrowColumn {
  readonly #column: ReportColumn;
  readonly #type: DataType;
  #length = 0;
  #nullCount = 0;
  #validity = new Uint8Array(batchRows / 8);
  #data: BigInt64Array | Float64Array | Int32Array | Uint8Array;
  #texts = new TextDictionary();

  constructor(column: ReportColumn, type: DataType) {
    this.#column = column;
    this.#type = type;
    this.#data = emptyData(column);
  }

  /** Of the different texts that it holds. */
  get textBytes(): number {
    return this.#texts.byteLength;
  }

  /**
   * Adds one value.
   * @throws {ValueRefusedError} for an integer beyond 64 bits, or a time such as `infinity`
   */
  add(value: ReportValue): void {
    const row = this.#length;
    this.#length += 1;
    if (value === null) {
      this.#nullCount += 1;
      return;
    }
    setBit(this.#validity, row);
    const column = this.#column;
    switch (column.type) {
      case "integer":
        this.#setWide(row, integer(value, column));
        break;
      case "number":
      case "share":
        if (column.decimal) this.#setDecimal(row, unscaled(value, column.decimal.scale));
        else this.#data[row] = Number(value);
        break;
      case "boolean":
        if (value === true) setBit(this.#data as Uint8Array, row);
        break;
      case "date":
        this.#data[row] = timeOf(value, column, epochDays);
        break;
      case "instant":
      case "local_time":
        this.#setWide(row, timeOf(value, column, epochMicros));
        break;
      default: {
        const bytes = encoder.encode(String(value));
        this.#data[row] = this.#texts.numberOf(bytes, 0, bytes.length);
      }
    }
  }

  /**
   * Adds a chunk's column: as it lies in memory where DuckDB's type allows, else value by value.
   * @throws {ValueRefusedError} as `add` does
   */
  addChunk(chunk: DuckDBDataChunk, { position, type }: ChunkColumn): void {
    const add = adders[this.#column.type]?.[type];
    if (add === undefined) {
      for (const value of columnValues(chunk, position)) this.add(queryValue(value, this.#column.type));
      return;
    }
    const validity = columnValidity(chunk, position);
    const [column, target, start, texts] = [this.#column, this.#data, this.#length, this.#texts];
    this.#addValidity(validity, chunk.rowCount);
    add({ chunk, position, validity, column, target, start, texts });
    this.#length += chunk.rowCount;
  }

  #addValidity(validity: Uint8Array | undefined, count: number): void {
    for (let row = 0; row < count; row += 1) {
      if (isNull(validity, row)) this.#nullCount += 1;
      else setBit(this.#validity, this.#length + row);
    }
  }

  #filled(): ArrayBufferView {
    if (this.#column.decimal) return new Uint32Array(this.#data.buffer, 0, 4 * this.#length);
    return this.#column.type === "boolean" ? this.#data : this.#data.subarray(0, this.#length);
  }

  /** A 64-bit integer from a number, without making a bigint of it. */
  #setWide(row: number, whole: number | bigint): void {
    const wide = this.#data as BigInt64Array;
    if (typeof whole === "bigint") {
      wide[row] = whole;
      return;
    }
    const halves = new Int32Array(wide.buffer);
    halves[2 * row] = whole | 0;
    halves[2 * row + 1] = Math.floor(whole / 2 ** 32);
  }

  /** A 128-bit integer, its lower half first. */
  #setDecimal(row: number, whole: bigint): void {
    const halves = this.#data as BigInt64Array;
    halves[2 * row] = BigInt.asIntN(64, whole);
    halves[2 * row + 1] = whole >> 64n;
  }

  /** What it holds as Arrow has it; it is empty afterwards. */
  finish(): Data {
    const dictionary =
      this.#column.type === "text" ? { dictionary: new Vector([this.#texts.finish()]) } : undefined;
    const data = makeData({
      type: this.#type,
      length: this.#length,
      nullCount: this.#nullCount,
      nullBitmap: this.#nullCount > 0 ? this.#validity : undefined,
      data: this.#filled(),
      ...dictionary,
    } as never) as Data;
    this.#length = 0;
    this.#nullCount = 0;
    this.#validity = new Uint8Array(batchRows / 8);
    this.#data = emptyData(this.#column);
    if (dictionary) this.#texts = new TextDictionary();
    return data;
  }
}

function emptyData({ type, decimal }: ReportColumn): BigInt64Array | Float64Array | Int32Array | Uint8Array {
  if (decimal) return new BigInt64Array(2 * batchRows);
  switch (type) {
    case "integer":
    case "instant":
    case "local_time":
      return new BigInt64Array(batchRows);
    case "number":
    case "share":
      return new Float64Array(batchRows);
    case "boolean":
      return new Uint8Array(batchRows / 8);
    default:
      return new Int32Array(batchRows);
  }
}

interface Addition {
  chunk: DuckDBDataChunk;
  position: number;
  validity: Uint8Array | undefined;
  column: ReportColumn;
  target: BigInt64Array | Float64Array | Int32Array | Uint8Array;
  /** Row of the batch that the chunk's first one becomes. */
  start: number;
  texts: TextDictionary;
}
type Adder = (addition: Addition) => void;

/** By the type of a report's column, then by DuckDB's: whose values can be taken as they lie in memory. */
const adders: Readonly<Partial<Record<string, Readonly<Record<string, Adder>>>>> = {
  integer: {
    BIGINT: copyOf(BigInt64Array),
    INTEGER: widen(Int32Array),
    SMALLINT: widen(Int16Array),
    TINYINT: widen(Int8Array),
  },
  number: { DOUBLE: copyOf(Float64Array), FLOAT: copyOf(Float32Array) },
  share: { DOUBLE: copyOf(Float64Array), FLOAT: copyOf(Float32Array) },
  boolean: { BOOLEAN: addBooleans },
  date: { DATE: addDates },
  instant: { TIMESTAMP: addMicros, "TIMESTAMP WITH TIME ZONE": addMicros },
  local_time: { TIMESTAMP: addMicros },
  text: { VARCHAR: addTexts },
};

type Numbers =
  | typeof BigInt64Array
  | typeof Float64Array
  | typeof Float32Array
  | typeof Int32Array
  | typeof Int16Array
  | typeof Int8Array;

function valuesOf<Kind extends Numbers>({ chunk, position }: Addition, kind: Kind): InstanceType<Kind> {
  const bytes = columnBytes(chunk, position, kind.BYTES_PER_ELEMENT);
  return new kind(bytes.buffer as ArrayBuffer, bytes.byteOffset, chunk.rowCount) as InstanceType<Kind>;
}

function copyOf(kind: typeof BigInt64Array | typeof Float64Array | typeof Float32Array): Adder {
  return (addition) => {
    (addition.target as Float64Array).set(valuesOf(addition, kind) as Float64Array, addition.start);
  };
}

function widen(kind: typeof Int32Array | typeof Int16Array | typeof Int8Array): Adder {
  return (addition) => {
    const values = valuesOf(addition, kind);
    const halves = new Int32Array(addition.target.buffer);
    let half = addition.start * 2;
    for (const value of values) {
      halves[half] = value;
      halves[half + 1] = value >> 31;
      half += 2;
    }
  };
}

function addBooleans(addition: Addition): void {
  const values = columnBytes(addition.chunk, addition.position, 1);
  for (const [row, value] of values.entries()) {
    if (value !== 0) setBit(addition.target as Uint8Array, addition.start + row);
  }
}

/** DuckDB's endless dates are the largest number of days, and its negative. */
function addDates(addition: Addition): void {
  const days = valuesOf(addition, Int32Array);
  for (let row = 0; row < days.length; row += 1) {
    if (Math.abs(days[row] ?? 0) === 0x7fffffff) refuseEndless(addition, row, (days[row] ?? 0) > 0);
  }
  addition.target.set(days as never, addition.start);
}

/** DuckDB's endless instants are the largest number of microseconds, and its negative. */
function addMicros(addition: Addition): void {
  const micros = valuesOf(addition, BigInt64Array);
  const halves = new Int32Array(micros.buffer, micros.byteOffset, micros.length * 2);
  for (let row = 0; row < micros.length; row += 1) {
    const [low, high] = [halves[2 * row], halves[2 * row + 1]];
    if (low === -1 && high === 0x7fffffff) refuseEndless(addition, row, true);
    if (low === 1 && high === -0x80000000) refuseEndless(addition, row, false);
  }
  addition.target.set(micros as never, addition.start);
}

function refuseEndless({ validity, column }: Addition, row: number, isPositive: boolean): void {
  if (!isNull(validity, row)) throw new ValueRefusedError(column, isPositive ? "infinity" : "-infinity");
}

function addTexts({ chunk, position, validity, target, start, texts }: Addition): void {
  eachText(chunk, position, validity, (row, bytes, from, to) => {
    target[start + row] = isNull(validity, row) ? 0 : texts.numberOf(bytes, from, to);
  });
}

function setBit(bits: Uint8Array, index: number): void {
  bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
}

function integer(value: ReportValue, column: ReportColumn): number | bigint {
  if (typeof value === "number") return value;
  if (typeof value === "bigint" && BigInt.asIntN(64, value) === value) return value;
  throw new ValueRefusedError(column, value);
}

function timeOf(
  value: ReportValue,
  column: ReportColumn,
  parse: (text: string) => number | undefined,
): number {
  const time = parse(String(value));
  if (time === undefined) throw new ValueRefusedError(column, value);
  return time;
}
