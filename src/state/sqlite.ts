import { isUtf8 } from "node:buffer";
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { monotonicMs } from "../util/clock.ts";
import { listMigrations, listPendingMigrations } from "../util/migrations.ts";
import { SqliteInUseError, sqliteDamagedError, translateSqliteError } from "./errors.ts";

/** Parameter values. Instants are stored as ISO 8601 text in UTC, booleans as 0 or 1, `undefined` as null. */
export type SqliteParameter = string | number | bigint | boolean | Date | null | undefined;
export type SqliteRow = Record<string, string | number | null>;

export interface SqliteOptions {
  /**
   * With `full`, a commit survives a power failure. With `normal`, a commit does not wait for the disk, and survives
   * only the end of the process.
   * @default "full"
   */
  durability?: "full" | "normal";
  /** Maximum wait for another process's transaction, in milliseconds. @default 10_000 */
  busyTimeoutMs?: number;
  /** Called before anything is read from the database. */
  isDamaged?: (database: Sqlite) => boolean;
}

const walRetryMs = 20;

/**
 * A SQLite database in WAL mode, which several processes can use. Parameters are written as `?`. Integers are returned
 * as JavaScript numbers, which are inexact beyond 2^53. Methods are synchronous and throw the errors in `errors.ts`.
 */
export class Sqlite {
  readonly path: string;
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  #checkWriter: (() => void) | undefined;

  /** Use `openSqlite` instead. */
  constructor(path: string, database: Database.Database) {
    this.path = path;
    this.#database = database;
  }

  /**
   * Sets a check that `run` and `immediate` call at the start of each transaction. If it throws, nothing is
   * written. `undefined` removes the check.
   */
  checkWriter(check: (() => void) | undefined): void {
    this.#checkWriter = check;
  }

  /** Runs one statement, and returns the number of changed rows. */
  run(sql: string, parameters: readonly SqliteParameter[] = []): number {
    // Checks `open` first, because the library terminates the process when `inTransaction` of a closed database is
    // read.
    if (this.#checkWriter && this.#database.open && !this.#database.inTransaction)
      return this.immediate(() => this.run(sql, parameters));
    return this.#translateErrors(() => this.#prepare(sql).run(parameters.map(bind)).changes);
  }

  all<Row = SqliteRow>(sql: string, parameters: readonly SqliteParameter[] = []): Row[] {
    return this.#translateErrors(() => this.#prepare(sql).all(parameters.map(bind)) as Row[]);
  }

  /** Returns the values of the first column. */
  values<Value extends string | number>(sql: string, parameters: readonly SqliteParameter[] = []): Value[] {
    return this.all(sql, parameters).map((row) => Object.values(row)[0] as Value);
  }

  /** Returns the first row, or `undefined`. */
  find<Row = SqliteRow>(sql: string, parameters: readonly SqliteParameter[] = []): Row | undefined {
    return this.all<Row>(sql, parameters)[0];
  }

  /** Returns the first row. @throws if there is none, which is a bug in the statement */
  get<Row = SqliteRow>(sql: string, parameters: readonly SqliteParameter[] = []): Row {
    const row = this.find<Row>(sql, parameters);
    if (row === undefined) throw new Error(`no row from: ${sql}`);
    return row;
  }

  /** Runs the synchronous `body` in one transaction that blocks other writers from the start. */
  immediate<Result>(body: () => Result): Result {
    this.#exec("begin immediate");
    try {
      this.#checkWriter?.();
      const result = body();
      this.#exec("commit");
      return result;
    } catch (error) {
      // The failed statement may already have ended the transaction.
      if (this.#database.inTransaction) this.#exec("rollback");
      throw error;
    }
  }

  /** Runs several statements without parameters. */
  script(sql: string): void {
    this.#exec(sql);
  }

  copyTo(path: string): void {
    this.#translateErrors(() => this.#prepare("vacuum into ?").run([path]));
  }

  get isOpen(): boolean {
    return this.#database.open;
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.open) this.#database.close();
  }

  #exec(sql: string): void {
    this.#translateErrors(() => this.#database.exec(sql));
  }

  #prepare(sql: string): Database.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #translateErrors<Result>(body: () => Result): Result {
    try {
      return body();
    } catch (error) {
      throw translateSqliteError(this.path, error);
    }
  }
}

/**
 * Opens a database, creates it if missing (readable only by its owner), and migrates its schema. Several
 * processes may call this at once.
 * @param migrations folder in `sql/` with the numbered migrations of the schema, e.g. `state/data`
 * @throws {VenueError} `SQLITE_DAMAGED` if the file is not a readable database
 * @throws {VenueError} `SQLITE_UNUSABLE` if the folder or the disk prevents use
 * @throws {SqliteInUseError} if another process keeps its transaction open for too long
 * @throws {VenueError} `MIGRATION_MISMATCH` if a newer version of this program wrote it
 */
export function openSqlite(
  path: string,
  migrations: string,
  { durability = "full", busyTimeoutMs = 10_000, isDamaged }: SqliteOptions = {},
): Sqlite {
  let database: Sqlite | undefined;
  try {
    createFile(path);
    database = new Sqlite(path, new Database(path, { timeout: busyTimeoutMs }));
    switchToWal(database, busyTimeoutMs);
    database.script(`pragma foreign_keys = on; pragma synchronous = ${durability}`);
    if (isDamaged?.(database)) throw sqliteDamagedError(path);
    migrate(database, migrations);
    return database;
  } catch (error) {
    database?.close();
    throw translateSqliteError(path, error);
  }
}

/**
 * Creates the file with a restricted mode, which the -wal and -shm files inherit. Does not open an existing
 * file, because closing it would drop the locks that another connection in this process holds on it.
 */
function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    restrictMode(path);
  }
}

/** Restricts the mode of a file. Leaves symbolic links alone, because their target may be any file. */
function restrictMode(path: string): void {
  try {
    if (lstatSync(path).isFile()) chmodSync(path, 0o600);
  } catch {
    // The error is ignored, because the file belongs to another user, who controls its mode.
  }
}

/**
 * Switches to WAL mode. Retries, because the switch fails at once with BUSY while another process switches or
 * reads.
 */
function switchToWal(database: Sqlite, busyTimeoutMs: number): void {
  const giveUpAt = monotonicMs() + busyTimeoutMs;
  while (true) {
    try {
      if (setJournalMode(database, "pragma journal_mode") === "wal") return;
      if (setJournalMode(database, "pragma journal_mode = wal") === "wal") return;
    } catch (error) {
      if (!(error instanceof SqliteInUseError) || monotonicMs() > giveUpAt) throw error;
    }
    if (monotonicMs() > giveUpAt) throw new SqliteInUseError(database.path);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, walRetryMs);
  }
}

function setJournalMode(database: Sqlite, pragma: string): string {
  return database.get<{ journal_mode: string }>(pragma).journal_mode;
}

function migrate(database: Sqlite, folder: string): void {
  const known = listMigrations(folder);
  const pending = () =>
    listPendingMigrations(
      database.path,
      known,
      database.all<{ name: string; sha256: string }>("select name, sha256 from migration order by name"),
    );
  const isNew = database.all("select 1 from sqlite_master where name = 'migration'").length === 0;
  if (!isNew && pending().length === 0) return;
  database.immediate(() => {
    database.script(
      "create table if not exists migration (name text primary key, sha256 text not null) strict",
    );
    for (const { name, sha256, sql } of pending()) {
      database.script(sql);
      database.run("insert into migration values (?, ?)", [name, sha256]);
    }
  });
}

/** Binds integers as SQLite integers. By default, the library binds reals, which would break `?/2` and `typeof`. */
function bind(value: SqliteParameter): string | number | bigint | null {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  // The library terminates the process when it receives a boolean.
  if (typeof value === "boolean") return BigInt(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string" || typeof value === "bigint" || value === null) return value;
  if (value === undefined) return null;
  throw new TypeError(`SQLite can't bind ${typeof value}`);
}

/**
 * Parses JSON that this program stored in a database.
 * @param path path of the database, for the error
 * @throws {VenueError} `SQLITE_DAMAGED` if it is not valid JSON
 */
export function parseStored<Value>(path: string, json: string): Value {
  try {
    return JSON.parse(json) as Value;
  } catch (cause) {
    throw sqliteDamagedError(path, { cause });
  }
}

/** Returns true if a database contains text that is not valid UTF-8, or indexes that differ from their tables. */
export function isDatabaseDamaged(database: Sqlite): boolean {
  if (hasInvalidText(database)) return true;
  const [first] = database.all<{ integrity_check: string }>("pragma integrity_check(1)");
  return first?.integrity_check !== "ok";
}

/**
 * Returns true if a database contains text that is not valid UTF-8. Reads non-ASCII text as hex, because the library
 * terminates the process when it reads invalid text.
 */
export function hasInvalidText(database: Sqlite): boolean {
  const tables = findTexts(database, "select hex(name) as hex from sqlite_master where type = 'table'");
  return tables === undefined || tables.some((table) => isTableBroken(database, table));
}

function isTableBroken(database: Sqlite, table: string): boolean {
  const columns = findTexts(database, "select hex(name) as hex from pragma_table_info(?)", [table]);
  if (columns === undefined) return true;
  return columns.map(quote).some((column) => {
    const hasOtherBytes = `${column} glob '*[^ -~]*' or length(${column}) <> length(cast(${column} as blob))`;
    const sql = `select hex(${column}) as hex from ${quote(table)} where typeof(${column}) = 'text' and (${hasOtherBytes})`;
    return findTexts(database, sql) === undefined;
  });
}

/** Decodes strings that a statement returns as hex. Returns `undefined` if any is not valid UTF-8. */
function findTexts(database: Sqlite, sql: string, parameters: readonly string[] = []): string[] | undefined {
  const texts = database.all<{ hex: string }>(sql, parameters).map(({ hex }) => Buffer.from(hex, "hex"));
  return texts.every((bytes) => isUtf8(bytes)) ? texts.map((bytes) => bytes.toString("utf8")) : undefined;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
