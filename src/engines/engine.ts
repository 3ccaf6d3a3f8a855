import type { SqlRow, SqlValue } from "./sql-text.ts";

export type SqlParameter = string | number | bigint | boolean | null;

export interface SqlColumn {
  name: string;
  /** DuckDB's name for the type, even with Trino, e.g. `BIGINT` or `DECIMAL(4,2)`. */
  type: string;
}

/** Result rows of a query, as they arrive. */
export interface SqlStream {
  /** Columns with unique names: repeated names are numbered (`a`, `a:1`). */
  columns: SqlColumn[];
  /** Values in the order of `columns`. Can be read only once. */
  rows: AsyncIterableIterator<SqlValue[]>;
}

/**
 * A database on which the program runs SQL. Parameters are written as `?`. Instants are returned as
 * `YYYY-MM-DD HH:MM:SS[.ffffff]` text, dates as `YYYY-MM-DD`, decimals and integers as numbers (integers as
 * `bigint` beyond 2^53, decimals as text beyond 15 digits).
 */
export interface Engine {
  /** Runs a statement; returns the number of changed rows. */
  run(sql: string, parameters?: readonly SqlParameter[]): Promise<number>;
  /** Returns all rows of a statement, as objects keyed by column name. */
  all<Row = SqlRow>(sql: string, parameters?: readonly SqlParameter[]): Promise<Row[]>;
  /** Returns the first row, or `undefined`. */
  find<Row = SqlRow>(sql: string, parameters?: readonly SqlParameter[]): Promise<Row | undefined>;
  /** Returns the first row. @throws if there is no row, because the statement is then wrong */
  get<Row = SqlRow>(sql: string, parameters?: readonly SqlParameter[]): Promise<Row>;
  /** Streams the rows of a statement in constant memory. Read all rows before you run another statement. */
  stream(sql: string, parameters?: readonly SqlParameter[]): Promise<SqlStream>;
  /** Returns the columns of a select, without running it. */
  describe(select: string): Promise<SqlColumn[]>;
  /** Runs `body`. An abort cancels the running statement, which then throws the signal's reason. */
  interruptible<Result>(signal: AbortSignal | undefined, body: () => Promise<Result>): Promise<Result>;
  close(): void;
}
