import { Field, makeData, RecordBatch, RecordBatchStreamWriter, Schema, Struct } from "apache-arrow";
import type { Report, ReportChunks, ReportColumn } from "../../report.ts";
import { ArrowColumn, batchRows } from "./arrow-column.ts";
import { arrowType } from "./arrow-type.ts";

/** Once a column's different texts take so many bytes, a batch ends early. */
const batchTextBytes = 16 << 20;

/**
 * An Arrow IPC stream: batches of rows, texts dictionary-encoded (each batch brings its own dictionaries), instants in
 * UTC with microseconds, shares and other numbers as doubles.
 * @throws {ValueRefusedError} for an integer beyond 64 bits, or a time such as `infinity`
 */
export async function* formatArrow({ columns, rows, chunks }: Report): AsyncIterable<Uint8Array> {
  const stream = new ArrowStream(columns);
  yield* chunks ? writeChunks(stream, chunks) : writeRows(stream, rows);
  yield* stream.finish();
}

async function* writeRows(stream: ArrowStream, rows: Report["rows"]): AsyncIterable<Uint8Array> {
  for await (const row of rows) {
    if (!stream.hasRoomFor(1)) yield* stream.writeBatch();
    for (const [index, column] of stream.columns.entries()) column.add(row[index] ?? null);
    stream.rowCount += 1;
  }
}

async function* writeChunks(
  stream: ArrowStream,
  { columns: given, chunks }: ReportChunks,
): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    if (!stream.hasRoomFor(chunk.rowCount)) yield* stream.writeBatch();
    for (const [index, column] of stream.columns.entries()) {
      const from = given[index];
      if (from) column.addChunk(chunk, from);
    }
    stream.rowCount += chunk.rowCount;
  }
}

/** A stream under way, and the batch that is being filled. */
class ArrowStream {
  readonly columns: readonly ArrowColumn[];
  /** Of the batch that is being filled. */
  rowCount = 0;
  readonly #schema: Schema;
  readonly #writer = new PieceWriter();

  constructor(columns: readonly ReportColumn[]) {
    const fields = columns.map((column) => new Field(column.name, arrowType(column), true));
    this.#schema = new Schema(fields);
    this.columns = columns.map((column, index) => new ArrowColumn(column, (fields[index] as Field).type));
    this.#writer.reset(undefined, this.#schema);
  }

  hasRoomFor(rows: number): boolean {
    return (
      this.rowCount + rows <= batchRows && this.columns.every(({ textBytes }) => textBytes < batchTextBytes)
    );
  }

  /** Ends the batch, and begins another one. */
  writeBatch(): Uint8Array[] {
    const children = this.columns.map((column) => column.finish());
    const data = makeData({
      type: new Struct(this.#schema.fields),
      length: this.rowCount,
      nullCount: 0,
      children,
    });
    this.#writer.write(new RecordBatch(this.#schema, data));
    this.rowCount = 0;
    return this.#writer.take();
  }

  finish(): Uint8Array[] {
    const last = this.rowCount > 0 ? this.writeBatch() : [];
    this.#writer.finish();
    return [...last, ...this.#writer.take()];
  }
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
