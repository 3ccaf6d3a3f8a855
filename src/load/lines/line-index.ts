import { closeSync, openSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { LandingUnreadableError } from "../errors.ts";
import { type LandingLine, LineCursor, skipByteOrderMark } from "./line-cursor.ts";

/** Number of rows per stored line start. */
const rowsPerStart = 256;
const chunkBytes = 128 * 1024;
const linesSampledFirst = 2000;
const linesPerSample = 500;
/** Number of lines to look up before yielding to the event loop. */
const rowsPerTurn = 1000;

/** A line of the file that is not blank. These lines are numbered as rows from 0, as in DuckDB. */
export interface IndexedLine extends LandingLine {
  row: number;
  /** False for a line that DuckDB may read differently from JavaScript. */
  isPlain: boolean;
}

/** Counts the lines of a file as it is read, and finds them again by row. */
export class LineIndex {
  readonly #onSample: (line: string) => void;
  readonly #cursor = new LineCursor();
  /** Offset in bytes and line number of each 256th row. */
  readonly #starts: { offset: number; lineNumber: number }[] = [];
  #offset = 0;
  #isBeginning = true;
  rows = 0;
  /** Rows that are not plain. */
  readonly oddRows: number[] = [];
  blank = 0;
  longestBytes = 0;

  /** @param onSample called with the first 2,000 lines, then with one line in 500 */
  constructor(onSample: (line: string) => void = () => {}) {
    this.#onSample = onSample;
  }

  get lines(): number {
    return this.#cursor.lineNumber;
  }

  /** Adds the next bytes of the file. */
  add(chunk: Buffer): void {
    const bytes = this.#isBeginning ? skipByteOrderMark(chunk) : chunk;
    this.#isBeginning = false;
    this.#offset += chunk.length - bytes.length;
    this.#cursor.begin(bytes);
    while (this.#cursor.next()) this.#take();
  }

  /** Called after the last bytes. */
  finish(): void {
    if (this.#cursor.finish()) this.#take();
  }

  #take(): void {
    const { length, lineNumber, isBlank } = this.#cursor;
    if (isBlank) this.blank += 1;
    else {
      if (this.rows % rowsPerStart === 0) this.#starts.push({ offset: this.#offset, lineNumber });
      if (!isPlain(this.#cursor)) this.oddRows.push(this.rows);
      this.rows += 1;
      if (lineNumber <= linesSampledFirst || lineNumber % linesPerSample === 0)
        this.#onSample(this.#cursor.line.bytes.toString());
    }
    this.longestBytes = Math.max(this.longestBytes, length);
    this.#offset += length + 1;
  }

  /**
   * Reads lines of the file again.
   * @param rows in ascending order
   * @param onLine called with each of these lines, in order; a line is valid until the next call
   * @throws {LandingUnreadableError}
   */
  async read(path: string, rows: readonly number[], onLine: (line: IndexedLine) => void): Promise<void> {
    try {
      const file = openSync(path, "r");
      try {
        for (let next = 0; next < rows.length; await setImmediate()) {
          const turn = rows.slice(next, next + rowsPerTurn);
          for (let index = 0; index < turn.length; ) index = this.#readFrom(file, turn, index, onLine);
          next += turn.length;
        }
      } finally {
        closeSync(file);
      }
    } catch (error) {
      throw new LandingUnreadableError(path, { cause: error });
    }
  }

  /** Reads rows in one pass until the next one is far away. @returns the index of that row */
  #readFrom(
    file: number,
    rows: readonly number[],
    first: number,
    onLine: (line: IndexedLine) => void,
  ): number {
    const block = Math.floor((rows[first] ?? 0) / rowsPerStart);
    const start = this.#starts[block];
    if (!start) throw new Error(`it has no line for row ${rows[first]}`);
    const cursor = new LineCursor(start.lineNumber - 1);
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let row = block * rowsPerStart - 1;
    let index = first;
    const take = (): boolean => {
      if (!cursor.isBlank) row += 1;
      if (cursor.isBlank || row !== rows[index]) return true;
      onLine({ ...cursor.line, row, isPlain: isPlain(cursor) });
      index += 1;
      return (rows[index] ?? Number.POSITIVE_INFINITY) < row + 2 * rowsPerStart;
    };
    for (let offset = start.offset; ; ) {
      const bytesRead = readSync(file, chunk, 0, chunk.length, offset);
      if (bytesRead === 0) break;
      offset += bytesRead;
      cursor.begin(chunk.subarray(0, bytesRead));
      while (cursor.next()) if (!take()) return index;
    }
    if (cursor.finish()) take();
    if (index < rows.length) throw new Error("it has fewer lines than before");
    return index;
  }
}

function isPlain({ isTooLong, isObject }: LineCursor): boolean {
  return !isTooLong && isObject;
}
