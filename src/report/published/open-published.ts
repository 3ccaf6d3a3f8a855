import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { fromFile } from "../../engines/duckdb/file-types.ts";
import { listLocalTimes } from "../../engines/duckdb/local-dates.ts";
import type { SqlStream } from "../../engines/engine.ts";
import { sqlName, sqlText } from "../../engines/sql-text.ts";
import { publishedDamagedError, publishedOutdatedError } from "../../mart/errors.ts";
import type { Manifest, ManifestTable } from "../../mart/manifest.ts";
import { readModel } from "../../mart/model.ts";
import type { ShareFilter } from "../../state/data/shares.ts";
import { formatInstant } from "../text/cell-text.ts";
import { readCurrent, readVersion, rethrowDamage, translateDamage } from "./complete-version.ts";
import type { PublishedMart } from "./published-mart.ts";
import { createRememberedRows, type RememberedRows, rememberRows } from "./remember-rows.ts";
import { listMissingColumns } from "./run-state.ts";

interface OpenPublishedOptions {
  /** DuckDB's memory limit, e.g. `600MB`. */
  memoryLimit?: string;
  /** @default all cores */
  threads?: number;
  /** DuckDB's spill folder. */
  tempDir?: string;
  signal?: AbortSignal;
  /** A retained version, e.g. `v000007`. @default the current one */
  asOf?: string | undefined;
  /** Limits the tables to the rows that a customer token may read. @default all rows */
  share?: ShareFilter | undefined;
}

/**
 * Opens the current or the requested version, which later publishes do not change. The mart can read only that
 * version's files: no other file, no network, no settings.
 * @param publishedFolder contains the version folders and `current`
 * @throws {NothingPublishedError} when nothing was published there yet
 * @throws {UnknownVersionError} when the requested version does not exist, or was removed
 * @throws {VenueError} `PUBLISHED_DAMAGED` when the manifest can't be read, or a file is missing or truncated
 */
export async function openPublished(
  publishedFolder: string,
  { signal, ...options }: OpenPublishedOptions = {},
): Promise<PublishedMart> {
  const { marts, close } = await openForReaders(publishedFolder, { ...options, readers: 1 });
  const [martFor = throwUnopened] = marts;
  return { ...martFor(signal), close };
}

/** A version for several concurrent readers, each with a connection. */
export interface OpenedVersion {
  /** E.g. `v000007`. */
  version: string;
  /** One function per connection: returns a mart whose statements the signal interrupts. */
  marts: readonly ((signal: AbortSignal | undefined) => PublishedMart)[];
  close(): void;
}

/** Opens a database for several versions of a folder, which share its memory limit. It can read only files in the folder. */
export async function openForVersions(
  publishedFolder: string,
  options: Pick<OpenPublishedOptions, "memoryLimit" | "threads" | "tempDir">,
): Promise<DuckDb> {
  const database = await DuckDb.open(options);
  await confine(database, await realpath(publishedFolder).catch(() => publishedFolder));
  return database;
}

interface OpenForReadersOptions extends Omit<OpenPublishedOptions, "signal"> {
  readers: number;
  /** From `openForVersions`, whose options then apply. @default a database for this version only */
  within?: DuckDb;
}

/** Opens a version with several connections. Throws like `openPublished`. */
export async function openForReaders(
  publishedFolder: string,
  { asOf, readers, share, within, ...options }: OpenForReadersOptions,
): Promise<OpenedVersion> {
  const { versionFolder, manifest } = await (asOf === undefined
    ? readCurrent(publishedFolder)
    : readVersion(publishedFolder, asOf));
  const database = await (within === undefined ? DuckDb.open(options) : within.attach());
  const databases = [database];
  const close = () => {
    for (const opened of databases.reverse()) opened.close();
  };
  try {
    await database.run(await buildViews(versionFolder, manifest, share)).catch(rethrowMismatch);
    while (databases.length < readers) databases.push(await database.share());
    if (within === undefined) await confine(database, versionFolder);
  } catch (error) {
    close();
    throw translateDamage(error);
  }
  const remembered = createRememberedRows();
  const defineStaging = defineOnce((names) => database.run(buildStagingViews(names)));
  return {
    version: manifest.version,
    marts: databases.map((reader) => (signal) => ({
      ...createMart(reader, manifest, { signal, defineStaging, remembered }),
      isShared: share !== undefined,
    })),
    close,
  };
}

/**
 * Reports a mismatch between views and files as damage. Views follow the manifest, so a mismatch means that a file's
 * columns are missing or have other types.
 */
function rethrowMismatch(error: unknown): never {
  const [problem = ""] = String((error as Error).message).split("\n", 1);
  if (!/^(Binder|Catalog|Conversion|Parser) Error/.test(problem)) throw error;
  throw publishedDamagedError(`its manifest does not fit its files: ${problem}`, { cause: error });
}

interface MartOptions extends Pick<PublishedMart, "defineStaging"> {
  signal: AbortSignal | undefined;
  remembered: RememberedRows;
}

/** The connection is closed with the version. */
function createMart(
  database: DuckDb,
  manifest: Manifest,
  { signal, defineStaging, remembered }: MartOptions,
): PublishedMart {
  return {
    version: manifest.version,
    dataAsOf: manifest.data_as_of === null ? null : formatInstant(manifest.data_as_of),
    tables: Object.keys(manifest.tables).sort(),
    listMissing: () => listMissingColumns(manifest),
    stream: (sql, parameters) => startStream(database, signal, () => database.stream(sql, parameters)),
    all: rememberRows(remembered, (sql, parameters) =>
      database.interruptible(signal, () => database.all(sql, parameters)).catch(rethrowDamage),
    ),
    defineStaging: (names) => defineStaging(names).catch(rethrowDamage),
    listLocalTimes: (timeZones, instants) => listLocalTimes(database, timeZones, instants),
    parse: async (sql) => {
      const { parseSelect } = await import("../../engines/duckdb/sql-tree.ts");
      return await parseSelect(database, sql);
    },
    close: () => undefined,
  };
}

/**
 * Defines each view only once, because views belong to the whole database, and concurrent definitions of a view
 * conflict.
 */
function defineOnce(define: (names: readonly string[]) => Promise<unknown>): PublishedMart["defineStaging"] {
  let last: Promise<unknown> = Promise.resolve();
  const known = new Set<string>();
  return async (names) => {
    const after = last
      .catch(() => undefined)
      .then(async () => {
        const missing = names.filter((name) => !known.has(name));
        if (missing.length > 0) await define(missing);
        for (const name of missing) known.add(name);
      });
    last = after;
    await after;
  };
}

function throwUnopened(): never {
  throw new Error("a version was opened without a reader");
}

async function confine(database: DuckDb, folder: string): Promise<void> {
  await database.run(
    // The slash keeps v000001 from allowing v0000012.
    `set allowed_directories = [${sqlText(`${folder}/`)}];
    set enable_external_access = false;
    set lock_configuration = true`,
  );
}

async function startStream(
  database: DuckDb,
  signal: AbortSignal | undefined,
  start: () => Promise<SqlStream>,
): Promise<SqlStream> {
  const { columns, rows } = await database.interruptible(signal, start).catch(rethrowDamage);
  return { columns, rows: guard(database, signal, rows) };
}

async function* guard<Item>(
  database: DuckDb,
  signal: AbortSignal | undefined,
  items: AsyncIterable<Item>,
): AsyncIterableIterator<Item> {
  const stop = database.interruptOnAbort(signal);
  try {
    for await (const item of items) {
      signal?.throwIfAborted();
      yield item;
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : translateDamage(error);
  } finally {
    stop();
  }
}

/**
 * Returns SQL that defines a view per table. Names can't be bound, so they are quoted, although they come from this
 * program.
 */
async function buildViews(
  versionFolder: string,
  { version, tables }: Manifest,
  share: ShareFilter | undefined,
): Promise<string> {
  if (share !== undefined) {
    const { buildShareTables } = await import("./share-tables.ts");
    return buildShareTables(share, Object.keys(tables), (table) => {
      const published = tables[table];
      if (published === undefined) throw publishedOutdatedError(version, [table]);
      return buildViewSelect(versionFolder, published);
    });
  }
  return Object.entries(tables)
    .map(
      ([table, published]) =>
        `create view ${sqlName(table)} as ${buildViewSelect(versionFolder, published)};`,
    )
    .join("\n");
}

function buildViewSelect(versionFolder: string, { columns, files }: ManifestTable): string {
  const list = columns.map(({ name, type }) => `${fromFile(sqlName(name), type)} as ${sqlName(name)}`);
  const paths = files.map(({ path }) => sqlText(join(versionFolder, path)));
  return `select ${list.join(", ")} from read_parquet([${paths.join(", ")}], hive_partitioning = false)`;
}

/**
 * Returns SQL that defines views of `staging` over the published tables, in dependency order, from the models' SQL.
 * @param names as `staging.view`, of models built from published tables only
 */
function buildStagingViews(names: readonly string[]): string {
  const statements = new Map<string, string>();
  for (const name of names) addView(name, statements);
  return [
    "create schema if not exists mart",
    "create schema if not exists staging",
    ...statements.values(),
  ].join(";\n");
}

function addView(name: string, statements: Map<string, string>): void {
  if (statements.has(name)) return;
  const [schema, table = ""] = name.split(".");
  if (schema === "mart") {
    statements.set(name, `create view if not exists ${name} as select * from main.${sqlName(table)}`);
    return;
  }
  const { sql, reads } = readModel("staging", table);
  for (const read of reads) addView(read, statements);
  statements.set(name, `create view if not exists ${name} as ${sql}`);
}
