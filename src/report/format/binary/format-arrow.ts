import {
  Bool,
  type Builder,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  makeBuilder,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
} from "apache-arrow";
import type { Report, ReportColumn, ReportValue } from "../../result-types.ts";
import { toEpochDays, toEpochMicros, toUnscaled, valueRefusedError } from "./binary-values.ts";

const batchRows = 65_536;
/** A batch ends early when a column reaches this many bytes. */
const batchBytes = 16 << 20;

/**
 * Writes an Arrow IPC stream in batches of rows. Texts are encoded with a dictionary per batch, instants are in UTC
 * with microseconds, and ratios and other numbers are doubles.
 * @throws {VenueError} `VALUE_REFUSED` for an integer beyond 64 bits, or a time like `infinity`
 */
export async function* formatArrow({ columns, rows }: Report): AsyncIterable<Uint8Array> {
  const fields = columns.map((column, index) => new Field(column.name, getArrowType(column, index), true));
  const schema = new Schema(fields);
  const createBatch = () =>
    columns.map((column, index) => new ColumnBuilder(column, (fields[index] as Field).type));
  const writer = new PieceWriter();
  writer.reset(undefined, schema);
  let batch = createBatch();
  let length = 0;
  const writeBatch = () => {
    const children = batch.map((column) => column.finish());
    const data = makeData({ type: new Struct(fields), length, nullCount: 0, children });
    writer.write(new RecordBatch(schema, data));
    batch = createBatch();
    length = 0;
    return writer.take();
  };
  for await (const row of rows) {
    for (const [index, column] of batch.entries()) column.append(row[index] ?? null);
    length += 1;
    if (length >= batchRows || batch.some(({ byteLength }) => byteLength >= batchBytes)) yield* writeBatch();
  }
  if (length > 0) yield* writeBatch();
  writer.finish();
  yield* writer.take();
}

/**
 * Returns a column's type. Arrow identifies dictionaries by their type, so every column needs a separate type.
 * Dictionary ids are column positions, because default ids would continue over all files of this process.
 */
function getArrowType({ type, decimal }: ReportColumn, index: number): DataType {
  // DuckDB decimals have at most 128 bits.
  if (decimal) return new Decimal(decimal.scale, decimal.width, 128);
  switch (type) {
    case "integer":
      return new Int64();
    case "number":
    case "share":
      return new Float64();
    case "boolean":
      return new Bool();
    case "date":
      return new DateDay();
    case "instant":
      return new TimestampMicrosecond("UTC");
    case "local_time":
      return new TimestampMicrosecond();
    default:
      return new Dictionary(new Utf8(), new Int32(), index);
  }
}

class ColumnBuilder {
  readonly #column: ReportColumn;
  readonly #type: DataType;
  readonly #builder: Builder;

  constructor(column: ReportColumn, type: DataType) {
    this.#column = column;
    this.#type = type;
    // The library's time builders accept milliseconds, so times are built as the integers stored in the file.
    const stored =
      column.type === "date" ? new Int32() : type instanceof TimestampMicrosecond ? new Int64() : type;
    this.#builder = makeBuilder({ type: stored, nullValues: [null] });
  }

  get byteLength(): number {
    return this.#builder.byteLength;
  }

  append(value: ReportValue): void {
    this.#builder.append(value === null ? null : toStoredValue(value, this.#column));
  }

  finish(): Data {
    return this.#builder.finish().flush().clone(this.#type);
  }
}

/** @throws {VenueError} `VALUE_REFUSED` when the value does not fit the column's type */
function toStoredValue(value: NonNullable<ReportValue>, column: ReportColumn): unknown {
  if (column.decimal) return splitDecimal(toUnscaled(value, column.decimal.scale));
  const refuse = (): never => {
    throw valueRefusedError(column, value);
  };
  switch (column.type) {
    case "integer": {
      const whole = BigInt(value);
      return BigInt.asIntN(64, whole) === whole ? whole : refuse();
    }
    case "number":
    case "share":
      return Number(value);
    case "boolean":
      return value === true;
    case "date":
      return toEpochDays(String(value)) ?? refuse();
    case "instant":
    case "local_time":
      return BigInt(toEpochMicros(String(value)) ?? refuse());
    default:
      return String(value);
  }
}

/** Splits a 128-bit integer into four 32-bit words, lowest first. */
function splitDecimal(whole: bigint): Uint32Array {
  const halves = new BigInt64Array([BigInt.asIntN(64, whole), whole >> 64n]);
  return new Uint32Array(halves.buffer);
}

/** Buffers the written bytes until they are read, because the library's queue would grow as fast as rows arrive. */
class PieceWriter extends RecordBatchStreamWriter {
  #pieces: Uint8Array[] = [];

  /** Accepts any typed array, because the library writes columns as arrays of their own type. */
  protected override _write({ buffer, byteOffset, byteLength }: ArrayBufferView): this {
    if (byteLength > 0) this.#pieces.push(new Uint8Array(buffer, byteOffset, byteLength));
    this._position += byteLength;
    return this;
  }

  take(): Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}
