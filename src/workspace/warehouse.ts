import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DuckDb, type DuckDbOptions } from "../engines/duckdb/duckdb.ts";
import { insertRows } from "../engines/statements.ts";
import { createClock, monotonicMs } from "../util/clock.ts";
import { listMigrations, listPendingMigrations } from "../util/migrations.ts";
import { getErrorMessage, VenueError } from "../util/venue-error.ts";

/** Longer than readers (`venue plan`, `venue doctor`) hold the file, so that they do not make a long run fail. */
const openTimeoutMs = 10_000;

/** Calls `body` with a separate connection, on which the mart's tables need no schema. */
export async function withMart<Result>(
  warehouse: DuckDb,
  body: (mart: DuckDb) => Promise<Result>,
): Promise<Result> {
  const mart = await warehouse.share();
  try {
    await mart.run("set schema = 'mart'");
    return await body(mart);
  } finally {
    mart.close();
  }
}

interface WarehouseOptions extends DuckDbOptions {
  path: string;
  /** Longest wait for another process that has the file open, in milliseconds. @default 10_000 */
  openTimeoutMs?: number;
}

/**
 * Opens `warehouse.duckdb`, creating it if missing, and migrates its schema. DuckDB locks the file against
 * other processes, so keep it open only while loading or building.
 * @throws {WarehouseDamagedError} if the file is not a readable database
 * @throws {WarehouseInUseError} if another process keeps it open
 */
export async function openWarehouse(options: WarehouseOptions): Promise<DuckDb> {
  mkdirSync(dirname(options.path), { recursive: true });
  // An empty file is left if a process is killed while creating it.
  if (isEmpty(options.path)) rmSync(options.path);
  const database = await openWithRetry(options);
  try {
    await migrate(database, options.path);
    return database;
  } catch (error) {
    database.close();
    throw error instanceof VenueError ? error : translateOpenError(options.path, error);
  }
}

async function openWithRetry(options: WarehouseOptions): Promise<DuckDb> {
  const clock = createClock();
  const giveUpAt = monotonicMs() + (options.openTimeoutMs ?? openTimeoutMs);
  for (;;) {
    try {
      return await DuckDb.open(options);
    } catch (cause) {
      const error = translateOpenError(options.path, cause);
      if (!(error instanceof WarehouseInUseError) || monotonicMs() >= giveUpAt) throw error;
    }
    await clock.sleep(100);
  }
}

/** Opens an empty in-memory warehouse, for its table schemas. */
export async function openTemplate(): Promise<DuckDb> {
  const database = await DuckDb.open();
  await migrate(database, "a new warehouse");
  return database;
}

/**
 * Opens `warehouse.duckdb` for reading, in parallel with other readers but not with a writer. Returns
 * `undefined` if it is missing.
 * @throws the errors of `openWarehouse`
 */
export async function findWarehouse(options: DuckDbOptions & { path: string }): Promise<DuckDb | undefined> {
  if (!existsSync(options.path) || isEmpty(options.path)) return undefined;
  return await DuckDb.open({ ...options, readOnly: true }).catch((error: unknown) => {
    throw translateOpenError(options.path, error);
  });
}

function isEmpty(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === 0;
}

async function migrate(database: DuckDb, path: string): Promise<void> {
  await database.run(
    "create table if not exists main.migration (name varchar not null, sha256 varchar not null)",
  );
  const applied = await database.all<{ name: string; sha256: string }>(
    "select name, sha256 from main.migration order by name",
  );
  const pending = listPendingMigrations(path, listMigrations("warehouse"), applied);
  if (pending.length === 0) return;
  // Uses one transaction. Otherwise, each step would be written to disk before the next one.
  await database.transaction(async () => {
    for (const { sql } of pending) await database.run(sql);
    const rows = pending.map(({ name, sha256 }) => [name, sha256]);
    await insertRows(database, "main.migration", { name: "varchar", sha256: "varchar" }, rows);
  });
}

/** DuckDB's messages for damage, including those that appear only while the file is read. */
const damage =
  /not a valid DuckDB database|Serialization Error|Corrupt|checksum|deserialize|Could not read enough bytes|has been invalidated/i;

/** Translates a statement's error if it reports damage; returns any other error unchanged. */
export function translateWarehouseError(path: string, error: unknown): unknown {
  const isForeign = error instanceof VenueError || !(error instanceof Error);
  return !isForeign && damage.test(error.message) ? new WarehouseDamagedError(path, { cause: error }) : error;
}

function translateOpenError(path: string, error: unknown): unknown {
  const message = getErrorMessage(error);
  if (/Could not set lock|Conflicting lock|already open/i.test(message))
    return new WarehouseInUseError(path, { cause: error });
  if (damage.test(message) || /^INTERNAL Error/.test(message))
    return new WarehouseDamagedError(path, { cause: error });
  return error;
}

export class WarehouseDamagedError extends VenueError {
  readonly path: string;

  constructor(path: string, options?: ErrorOptions) {
    super(
      "WAREHOUSE_DAMAGED",
      "damage",
      `${path} is damaged and can't be read. Restore a backup (\`venue restore\`); without one, run ` +
        "`venue doctor --repair`, which loads the kept landings, and then `venue sync`: exports hold the whole history. " +
        "Published data stays readable in the meantime.",
      options,
    );
    this.path = path;
  }
}

export class WarehouseInUseError extends VenueError {
  constructor(path: string, options?: ErrorOptions) {
    super(
      "WAREHOUSE_IN_USE",
      "busy",
      `${path} is open in another process. Wait until it ends, or stop it, and run this again.`,
      options,
    );
  }
}
