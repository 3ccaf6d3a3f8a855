import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection, DuckDBInstance, DuckDBResult, DuckDBValue } from "@duckdb/node-api";
import { VenueError } from "../../util/venue-error.ts";
import type { Engine, SqlColumn, SqlParameter, SqlStream } from "../engine.ts";
import { blankFinalSemicolons, type SqlRow, type SqlValue } from "../sql-text.ts";
import { duckDbLibrary } from "./duckdb-library.ts";
import { toPlainValue } from "./duckdb-values.ts";
import { createSpillName, removeStaleSpills } from "./spill-folders.ts";

export interface DuckDbOptions {
  /** Path of the database file. @default ":memory:" */
  path?: string;
  /** DuckDB's `memory_limit`, e.g. `600MB`. Beyond this, DuckDB spills to `tempDir`. */
  memoryLimit?: string;
  /** @default all cores */
  threads?: number;
  /** Folder in which DuckDB creates its spill folder, and removes it later. */
  tempDir?: string;
  readOnly?: boolean;
  /** Called before each transaction commits; if it throws, the transaction is rolled back. */
  beforeCommit?: () => void;
}

/** One DuckDB database with one connection: the single-machine engine. `run` also accepts scripts. */
export class DuckDb implements Engine {
  readonly connection: DuckDBConnection;
  /** The option of the same name. */
  readonly tempDir: string | undefined;
  readonly #instance: DuckDBInstance;
  readonly #options: DuckDbOptions;
  readonly #owns: "instance" | "catalog" | "connection";
  /** Name of the attached database in use; absent for the database at `path`. */
  readonly #catalog: string | undefined;

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    options: DuckDbOptions,
    { owns, catalog }: { owns: "instance" | "catalog" | "connection"; catalog?: string | undefined },
  ) {
    this.#instance = instance;
    this.connection = connection;
    this.tempDir = options.tempDir;
    this.#options = options;
    this.#owns = owns;
    this.#catalog = catalog;
  }

  static async open(options: DuckDbOptions = {}): Promise<DuckDb> {
    const { path = ":memory:", memoryLimit, threads, tempDir, readOnly } = options;
    const spillFolder = tempDir && (await findSpillFolder(tempDir));
    const instance = await duckDbLibrary.DuckDBInstance.create(path, {
      ...(memoryLimit === undefined ? {} : { memory_limit: memoryLimit }),
      ...(threads === undefined ? {} : { threads: String(threads) }),
      ...(spillFolder === undefined ? {} : { temp_directory: spillFolder }),
      ...(readOnly ? { access_mode: "READ_ONLY" } : {}),
      // Prevents downloads, because all extensions in use are part of the library.
      autoinstall_known_extensions: "false",
    });
    const database = new DuckDb(instance, await connect(instance), options, { owns: "instance" });
    await database.run("set global TimeZone = 'UTC'");
    // DuckDB underestimates the number of rows in unnested lists. By default, it would then choose a join that
    // compares each row with every other row.
    await database.run("set global asof_loop_join_threshold = 0");
    return database;
  }

  /** Opens another connection to the same database, for concurrent statements. Close it before the first one. */
  async share(): Promise<DuckDb> {
    const connection = await connect(this.#instance);
    if (this.#catalog !== undefined) await connection.run(`use ${this.#catalog}`);
    const of = { owns: "connection", catalog: this.#catalog } as const;
    return new DuckDb(this.#instance, connection, this.#options, of);
  }

  /** Opens an empty in-memory database with the limits and configuration of this one. */
  async attach(): Promise<DuckDb> {
    attachedCount += 1;
    const catalog = `attached_${attachedCount}`;
    const connection = await connect(this.#instance);
    await connection.run(`attach ':memory:' as ${catalog}; use ${catalog}`);
    return new DuckDb(this.#instance, connection, this.#options, { owns: "catalog", catalog });
  }

  /** Runs a script, or one statement with parameters; returns how many rows the last one changed. */
  async run(sql: string, parameters: readonly SqlParameter[] = []): Promise<number> {
    const result = await this.connection.run(sql, bindAny(parameters));
    return result.rowsChanged;
  }

  async all<Row = SqlRow>(sql: string, parameters: readonly SqlParameter[] = []): Promise<Row[]> {
    const reader = await this.connection.runAndReadAll(sql, bindAny(parameters));
    return reader.convertRowObjects(toPlainValue) as Row[];
  }

  async stream(sql: string, parameters: readonly SqlParameter[] = []): Promise<SqlStream> {
    const result = await this.connection.stream(sql, bind(parameters));
    const columns = result
      .deduplicatedColumnNames()
      .map((name, index) => ({ name, type: result.columnType(index).toString() }));
    return { columns, rows: eachRow(result, () => this.#explainFailure(sql, parameters)) };
  }

  async find<Row = SqlRow>(sql: string, parameters: readonly SqlParameter[] = []): Promise<Row | undefined> {
    return (await this.all<Row>(sql, parameters))[0];
  }

  async get<Row = SqlRow>(sql: string, parameters: readonly SqlParameter[] = []): Promise<Row> {
    const row = await this.find<Row>(sql, parameters);
    if (row === undefined) throw new Error(`no row from: ${sql}`);
    return row;
  }

  async describe(select: string): Promise<SqlColumn[]> {
    return await this.all<{ name: string; type: string }>(
      `select column_name as name, column_type as type from (describe ${select}\n)`,
    );
  }

  /** Runs `body` in one transaction, rolled back if it throws. */
  async transaction<Result>(body: () => Promise<Result>): Promise<Result> {
    await this.connection.run("begin transaction");
    try {
      const result = await body();
      this.#options.beforeCommit?.();
      await this.connection.run("commit");
      return result;
    } catch (error) {
      // The failed statement may already have ended the transaction.
      await this.connection.run("rollback").catch(() => undefined);
      throw error;
    }
  }

  async interruptible<Result>(signal: AbortSignal | undefined, body: () => Promise<Result>): Promise<Result> {
    signal?.throwIfAborted();
    const stop = this.interruptOnAbort(signal);
    try {
      return await body();
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    } finally {
      stop();
    }
  }

  /**
   * After the signal aborts, interrupts running statements repeatedly until the returned function is called. A
   * single interrupt would miss a statement that is still waiting for a thread.
   */
  interruptOnAbort(signal: AbortSignal | undefined): () => void {
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

  /**
   * Throws the error that ended a stream. The library does not return this error, so the statement is run again
   * in a form that computes every value but keeps none.
   */
  async #explainFailure(sql: string, parameters: readonly SqlParameter[]): Promise<never> {
    const select = blankFinalSemicolons(sql);
    await this.all(`select max(hash(failed_rows)) from (${select}\n) as failed_rows`, parameters);
    throw new VenueError(
      "ROWS_INCOMPLETE",
      "usage",
      "The query failed after some of its rows, but gives no reason when it runs again. Run this again.",
    );
  }

  /** An attached database is detached asynchronously, after this returns. */
  close(): void {
    if (this.#owns === "catalog") {
      const removed = this.connection.run(`use memory; detach ${this.#catalog}`);
      void removed.catch(() => undefined).finally(() => this.connection.closeSync());
      return;
    }
    this.connection.closeSync();
    if (this.#owns === "instance") this.#instance.closeSync();
  }
}

let attachedCount = 0;

/**
 * Returns a spill folder for this database alone. DuckDB always uses the same file names, so databases with a common
 * folder would overwrite each other's files. If `tempDir` does not exist, returns it unchanged, because DuckDB
 * creates only one folder level.
 */
async function findSpillFolder(tempDir: string): Promise<string> {
  if (!existsSync(tempDir)) return tempDir;
  await removeStaleSpills(tempDir);
  return join(tempDir, createSpillName());
}

async function connect(instance: DuckDBInstance): Promise<DuckDBConnection> {
  const connection = await instance.connect();
  await connection.run(trinoFunctions);
  return connection;
}

async function* eachRow(result: DuckDBResult, fail: () => Promise<never>): AsyncIterableIterator<SqlValue[]> {
  for await (const rows of result.yieldConvertedRows(toPlainValue)) yield* rows;
  // An error while rows are fetched looks like the end of the rows, but makes the result invalid.
  if (result.returnType === duckDbLibrary.ResultReturnType.INVALID) await fail();
}

/** Returns `undefined` if there are no parameters. The library then skips the slower prepared statement. */
function bindAny(parameters: readonly SqlParameter[]): DuckDBValue[] | undefined {
  return parameters.length > 0 ? bind(parameters) : undefined;
}

function bind(parameters: readonly SqlParameter[]): DuckDBValue[] {
  // Binds integers as BIGINT. The library's default, DOUBLE, would break `limit ?` and id comparisons.
  return parameters.map((value) =>
    typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value,
  );
}

/**
 * Defines Trino functions that DuckDB does not have with this name or these parameters, so that SQL can use
 * them on both engines. Bit functions take BIGINTs and use the lowest 63 bits. Time zone functions take an IANA
 * name: `with_timezone` converts local time to an instant, and `at_timezone` an instant to local time. Cast
 * their results to `timestamp(6)`.
 */
const trinoFunctions = `
  create temp macro bitwise_left_shift(value, shift) as (value << shift);
  create temp macro bitwise_right_shift(value, shift) as (value >> shift);
  create temp macro bitwise_or_agg(value) as bit_or(value);
  create temp macro bit_count(value, bits) as system.main.bit_count(value);
  create temp macro with_timezone(value, zone) as timezone(zone, value);
  create temp macro at_timezone(value, zone) as timezone(zone, value)`;
