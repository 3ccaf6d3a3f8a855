import { Field, makeData, RecordBatch, RecordBatchStreamWriter, Schema, Struct } from "apache-arrow";
import type { Report, ReportColumn, ReportValue } from "../report.ts";
import { arrowData, arrowType } from "./arrow-column.ts";

/** Rows of one batch: what is held at a time. */
const batchRows = 65_536;

/**
 * An Arrow IPC stream: batches of rows, texts dictionary-encoded (each batch brings its own dictionaries), instants in
 * UTC with microseconds, shares and other numbers as doubles.
 * @throws {ValueRefusedError} for an integer beyond 64 bits, or a time such as `infinity`
 */
export async function* formatArrow({ columns, rows }: Report): AsyncIterable<Uint8Array> {
  const fields = columns.map((column) => new Field(column.name, arrowType(column), true));
  const schema = new Schema(fields);
  const writer = new PieceWriter();
  writer.reset(undefined, schema);
  let held = emptyColumns(columns);
  for await (const row of rows) {
    for (const [index, values] of held.entries()) values.push(row[index] ?? null);
    if (held[0]?.length !== batchRows) continue;
    writer.write(batchOf(schema, columns, held));
    held = emptyColumns(columns);
    yield* writer.take();
  }
  if (held[0]?.length) writer.write(batchOf(schema, columns, held));
  writer.finish();
  yield* writer.take();
}

function emptyColumns(columns: readonly ReportColumn[]): ReportValue[][] {
  return columns.map(() => []);
}

function batchOf(
  schema: Schema,
  columns: readonly ReportColumn[],
  held: readonly (readonly ReportValue[])[],
): RecordBatch {
  const children = columns.map((column, index) => {
    const field = schema.fields[index] as Field;
    return arrowData(column, field.type, held[index] ?? []);
  });
  const length = held[0]?.length ?? 0;
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }),
  );
}

/** Hands its bytes out when asked: the library's own queue would grow as fast as rows come. */
class PieceWriter extends RecordBatchStreamWriter {
  #pieces: Uint8Array[] = [];

  /** Columns come as arrays of whatever they hold. */
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
