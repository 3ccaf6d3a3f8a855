import { existsSync } from "node:fs";
import { join } from "node:path";
import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBResult,
  DuckDBValue,
} from "@duckdb/node-api";
import type { Engine, SqlColumn, SqlParameter, SqlStream } from "../engine.ts";
import type { SqlRow, SqlValue } from "../sql-text.ts";
import { duckDbLibrary } from "./duckdb-library.ts";
import { toPlainValue } from "./duckdb-values.ts";
import { removeLeftSpills, spillName } from "./spill-folders.ts";

export interface DuckDbOptions {
  /** Path of the database file. @default ":memory:" */
  path?: string;
  /** DuckDB's `memory_limit`, e.g. `600MB`. It spills to `tempDir` beyond. */
  memoryLimit?: string;
  /** @default all cores */
  threads?: number;
  /** Where it spills to, into a folder of its own, which DuckDB makes and removes. */
  tempDir?: string;
  readOnly?: boolean;
  /** Called before each transaction commits; where it throws, the transaction is undone. */
  beforeCommit?: () => void;
}

/** Rows either as such, or as chunks. */
export interface DuckDbStream extends SqlStream {
  /** The same rows as DuckDB holds them, column by column, up to 2,048 at a time; each until the next one is read. */
  chunks: AsyncIterableIterator<DuckDBDataChunk>;
}

/** One DuckDB database with one connection: the engine of one machine. `run` takes several statements, too. */
export class DuckDb implements Engine {
  readonly connection: DuckDBConnection;
  /** As it was asked for. */
  readonly tempDir: string | undefined;
  readonly #instance: DuckDBInstance;
  readonly #options: DuckDbOptions;
  readonly #ownsInstance: boolean;

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    options: DuckDbOptions,
    ownsInstance: boolean,
  ) {
    this.#instance = instance;
    this.connection = connection;
    this.tempDir = options.tempDir;
    this.#options = options;
    this.#ownsInstance = ownsInstance;
  }

  static async open(options: DuckDbOptions = {}): Promise<DuckDb> {
    const { path = ":memory:", memoryLimit, threads, tempDir, readOnly } = options;
    const spillFolder = tempDir && (await findSpillFolder(tempDir));
    const instance = await duckDbLibrary.DuckDBInstance.create(path, {
      ...(memoryLimit === undefined ? {} : { memory_limit: memoryLimit }),
      ...(threads === undefined ? {} : { threads: String(threads) }),
      ...(spillFolder === undefined ? {} : { temp_directory: spillFolder }),
      ...(readOnly ? { access_mode: "READ_ONLY" } : {}),
      // Nothing is ever fetched: every extension that is used ships with the library.
      autoinstall_known_extensions: "false",
    });
    return new DuckDb(instance, await connect(instance), options, true);
  }

  /**
   * Another connection to the same database: statements of both run at the same time. Close it before the first one.
   * To be had before the configuration is locked.
   */
  async share(): Promise<DuckDb> {
    return new DuckDb(this.#instance, await connect(this.#instance), this.#options, false);
  }

  /** Runs one or more statements (parameters: one statement only); answers the number of changed rows of the last. */
  async run(sql: string, parameters: readonly SqlParameter[] = []): Promise<number> {
    const result = await this.connection.run(sql, parameters.length > 0 ? bind(parameters) : undefined);
    return result.rowsChanged;
  }

  /** All rows of one statement, as objects by column name. */
  async all<Row = SqlRow>(sql: string, parameters: readonly SqlParameter[] = []): Promise<Row[]> {
    const reader = await this.connection.runAndReadAll(sql, bind(parameters));
    return reader.convertRowObjects(toPlainValue) as Row[];
  }

  /** The rows of one statement as they come, in constant memory. Read them before another statement runs. */
  async stream(sql: string, parameters: readonly SqlParameter[] = []): Promise<DuckDbStream> {
    const result = await this.connection.stream(sql, bind(parameters));
    const columns = result
      .deduplicatedColumnNames()
      .map((name, index) => ({ name, type: result.columnType(index).toString() }));
    return { columns, rows: eachRow(result), chunks: eachChunk(result) };
  }

  /** The first row, or `undefined`. */
  async find<Row = SqlRow>(sql: string, parameters: readonly SqlParameter[] = []): Promise<Row | undefined> {
    return (await this.all<Row>(sql, parameters))[0];
  }

  /** The first row. @throws when there is none, which is a bug in the statement */
  async get<Row = SqlRow>(sql: string, parameters: readonly SqlParameter[] = []): Promise<Row> {
    const row = await this.find<Row>(sql, parameters);
    if (row === undefined) throw new Error(`no row from: ${sql}`);
    return row;
  }

  /** The columns that a select would have. Runs nothing. */
  async describe(select: string): Promise<SqlColumn[]> {
    return await this.all<{ name: string; type: string }>(
      `select column_name as name, column_type as type from (describe ${select}\n)`,
    );
  }

  /** Runs `body` in one transaction: all of it, or, when it throws, nothing. */
  async transaction<Result>(body: () => Promise<Result>): Promise<Result> {
    await this.connection.run("begin transaction");
    try {
      const result = await body();
      this.#options.beforeCommit?.();
      await this.connection.run("commit");
      return result;
    } catch (error) {
      // The statement that failed may have ended the transaction already.
      await this.connection.run("rollback").catch(() => undefined);
      throw error;
    }
  }

  /** Runs `body`; an abort of the signal interrupts the statement under way, which then throws. */
  async interruptible<Result>(signal: AbortSignal | undefined, body: () => Promise<Result>): Promise<Result> {
    signal?.throwIfAborted();
    const stop = this.interruptAt(signal);
    try {
      return await body();
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    } finally {
      stop();
    }
  }

  /**
   * Interrupts what is under way once the signal is aborted, until what this returns is called: a statement that waits for a
   * thread begins after the abort, and would not know of it.
   */
  interruptAt(signal: AbortSignal | undefined): () => void {
    let again: NodeJS.Timeout | undefined;
    const interrupt = () => {
      this.connection.interrupt();
      again = setInterval(() => this.connection.interrupt(), 50);
    };
    signal?.addEventListener("abort", interrupt);
    return () => {
      signal?.removeEventListener("abort", interrupt);
      clearInterval(again);
    };
  }

  close(): void {
    this.connection.closeSync();
    if (this.#ownsInstance) this.#instance.closeSync();
  }
}

/**
 * Two databases that spill into one folder write over each other's files: DuckDB gives them the same names everywhere. It
 * makes one folder at most, when it first spills: where `tempDir` is not there yet, that is the one.
 */
async function findSpillFolder(tempDir: string): Promise<string> {
  if (!existsSync(tempDir)) return tempDir;
  await removeLeftSpills(tempDir);
  return join(tempDir, spillName());
}

async function connect(instance: DuckDBInstance): Promise<DuckDBConnection> {
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  // It takes too few rows for granted where lists are unnested, and then compares every row with every other.
  await connection.run("set asof_loop_join_threshold = 0");
  await connection.run(trinoFunctions);
  return connection;
}

async function* eachRow(result: DuckDBResult): AsyncIterableIterator<SqlValue[]> {
  for await (const rows of result.yieldConvertedRows(toPlainValue)) yield* rows;
}

async function* eachChunk(result: DuckDBResult): AsyncIterableIterator<DuckDBDataChunk> {
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) yield chunk;
}

function bind(parameters: readonly SqlParameter[]): DuckDBValue[] {
  // A whole number is bound as BIGINT: the library's own choice, DOUBLE, would spoil `limit ?` and id comparisons.
  return parameters.map((value) =>
    typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value,
  );
}

/**
 * Functions that Trino has and DuckDB knows by another name or sign, so that SQL that needs them runs on both. Those of bits
 * are of BIGINTs, whose lowest 63 bits are used. Those of time zones take an IANA name: `with_timezone` reads an instant
 * off a clock, and `at_timezone` tells the clock's time of such an instant; cast what it answers to `timestamp(6)`.
 */
const trinoFunctions = `
  create temp macro bitwise_left_shift(value, shift) as (value << shift);
  create temp macro bitwise_right_shift(value, shift) as (value >> shift);
  create temp macro bitwise_or_agg(value) as bit_or(value);
  create temp macro bit_count(value, bits) as system.main.bit_count(value);
  create temp macro with_timezone(value, zone) as timezone(zone, value);
  create temp macro at_timezone(value, zone) as timezone(zone, value)`;
