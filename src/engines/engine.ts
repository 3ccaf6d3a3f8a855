import type { SqlRow, SqlValue } from "./sql-text.ts";

export type SqlParameter = string | number | bigint | boolean | null;

export interface SqlColumn {
  name: string;
  /** DuckDB's word for it, whichever engine, e.g. `BIGINT` or `DECIMAL(4,2)`. */
  type: string;
}

/** A statement's rows, while they come. */
export interface SqlStream {
  /** Names are unique (`a`, `a:1`). */
  columns: SqlColumn[];
  /** Values in the order of `columns`. Can be read once. */
  rows: AsyncIterableIterator<SqlValue[]>;
}

/**
 * What the program runs SQL on. Parameters are `?`. Instants come back as `YYYY-MM-DD HH:MM:SS[.ffffff]` text, dates as
 * `YYYY-MM-DD`, decimals and integers as numbers (integers as `bigint` beyond 2^53, decimals as text beyond 15 digits).
 */
export interface Engine {
  /** Runs a statement; answers the number of rows that it changed. */
  run(sql: string, parameters?: readonly SqlParameter[]): Promise<number>;
  /** All rows of a statement, as objects by column name. */
  all<Row = SqlRow>(sql: string, parameters?: readonly SqlParameter[]): Promise<Row[]>;
  /** The first row, or `undefined`. */
  find<Row = SqlRow>(sql: string, parameters?: readonly SqlParameter[]): Promise<Row | undefined>;
  /** The first row. @throws when there is none, which is a bug in the statement */
  get<Row = SqlRow>(sql: string, parameters?: readonly SqlParameter[]): Promise<Row>;
  /** The rows of a statement as they come, in constant memory. Read them before another statement runs. */
  stream(sql: string, parameters?: readonly SqlParameter[]): Promise<SqlStream>;
  /** The columns that a select would have. Runs nothing. */
  describe(select: string): Promise<SqlColumn[]>;
  /** Runs `body`; an abort of the signal cancels the statement under way, which then throws the signal's reason. */
  interruptible<Result>(signal: AbortSignal | undefined, body: () => Promise<Result>): Promise<Result>;
  close(): void;
}
