import { join } from "node:path";
import { DuckDb, type DuckDbStream } from "../../engines/duckdb/duckdb.ts";
import { fromFile } from "../../engines/duckdb/file-types.ts";
import { parseSelect } from "../../engines/duckdb/sql-tree.ts";
import type { SqlParameter } from "../../engines/engine.ts";
import { sqlName, sqlText } from "../../engines/sql-text.ts";
import { publishedDamagedError } from "../../mart/errors.ts";
import type { Manifest, ManifestTable } from "../../mart/manifest.ts";
import { readModel } from "../../mart/model.ts";
import { instantText } from "../text/cell-text.ts";
import type { PublishedMart } from "./published-mart.ts";
import { listLacking } from "./state-of-runs.ts";
import { damageOr, readCurrent, readVersion, rethrowDamage } from "./whole-version.ts";

interface OpenPublishedOptions {
  /** DuckDB's, e.g. `600MB`. */
  memoryLimit?: string;
  /** @default all cores */
  threads?: number;
  /** Where DuckDB spills to. */
  tempDir?: string;
  /** Interrupts the statement under way. */
  signal?: AbortSignal;
  /** A version that is still there, e.g. `v000007`. @default the one that is current now */
  asOf?: string | undefined;
}

/**
 * Opens the version that is current now, or the one that is named, and stays with it whatever is published meanwhile. What comes back can
 * read that version's files and nothing else: no other file, no network, no settings.
 * @param publishedFolder holds the version folders and `current`
 * @throws {NothingPublishedError} when nothing was published there yet
 * @throws {VersionUnknownError} when the version that is named is not there, or no longer
 * @throws {VenueError} `PUBLISHED_DAMAGED` when the manifest can't be read, or a file is missing or cut short
 */
export async function openPublished(
  publishedFolder: string,
  { signal, ...options }: OpenPublishedOptions = {},
): Promise<PublishedMart> {
  const { marts, close } = await openForReaders(publishedFolder, { ...options, readers: 1 });
  const [martFor = neverOpened] = marts;
  return { ...martFor(signal), close };
}

/** A version that several read at the same time, each by a connection of its own. */
export interface OpenedVersion {
  /** E.g. `v000007`. */
  version: string;
  /** One per reader: the version as one reader sees it, whose statements the signal interrupts. */
  marts: readonly ((signal: AbortSignal | undefined) => PublishedMart)[];
  close(): void;
}

/** The same, for several readers. @throws as `openPublished` does */
export async function openForReaders(
  publishedFolder: string,
  { asOf, readers, ...options }: Omit<OpenPublishedOptions, "signal"> & { readers: number },
): Promise<OpenedVersion> {
  const { versionFolder, manifest } = await (asOf === undefined
    ? readCurrent(publishedFolder)
    : readVersion(publishedFolder, asOf));
  const database = await DuckDb.open(options);
  const databases = [database];
  const close = () => {
    for (const opened of databases.reverse()) opened.close();
  };
  try {
    await database.run(viewStatements(versionFolder, manifest)).catch(rethrowMisfit);
    while (databases.length < readers) databases.push(await database.share());
    await confine(database, versionFolder);
  } catch (error) {
    close();
    throw damageOr(error);
  }
  const defineStaging = onceEach((names) => database.run(stagingViewStatements(names)));
  return {
    version: manifest.version,
    marts: databases.map((reader) => (signal) => martOf(reader, manifest, { signal, defineStaging })),
    close,
  };
}

/** Views name what the manifest names: what its files lack, or what has no such type, is damage. */
function rethrowMisfit(error: unknown): never {
  const [problem = ""] = String((error as Error).message).split("\n", 1);
  if (!/^(Binder|Catalog|Conversion|Parser) Error/.test(problem)) throw error;
  throw publishedDamagedError(`its manifest does not fit its files: ${problem}`, { cause: error });
}

/** Its connection is closed with the version. */
function martOf(
  database: DuckDb,
  manifest: Manifest,
  { signal, defineStaging }: { signal: AbortSignal | undefined } & Pick<PublishedMart, "defineStaging">,
): PublishedMart {
  return {
    version: manifest.version,
    dataAsOf: manifest.data_as_of === null ? null : instantText(manifest.data_as_of),
    tables: Object.keys(manifest.tables).sort(),
    lacking: () => listLacking(manifest),
    stream: (sql, parameters) => streamFrom(database, signal, () => database.stream(sql, parameters)),
    all: <Row>(sql: string, parameters?: readonly SqlParameter[]) =>
      database.interruptible(signal, () => database.all<Row>(sql, parameters)).catch(rethrowDamage),
    defineStaging: (names) => defineStaging(names).catch(rethrowDamage),
    parse: (sql) => parseSelect(database, sql),
    close: () => undefined,
  };
}

/** Views are the whole database's: two readers that define the same at the same time would get in each other's way. */
function onceEach(define: (names: readonly string[]) => Promise<unknown>): PublishedMart["defineStaging"] {
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

function neverOpened(): never {
  throw new Error("a version was opened without a reader");
}

async function confine(database: DuckDb, versionFolder: string): Promise<void> {
  await database.run(
    // With its slash, so that v000001 does not open v0000012.
    `set allowed_directories = [${sqlText(`${versionFolder}/`)}];
    set enable_external_access = false;
    set lock_configuration = true`,
  );
}

async function streamFrom(
  database: DuckDb,
  signal: AbortSignal | undefined,
  start: () => Promise<DuckDbStream>,
): Promise<DuckDbStream> {
  const { columns, rows, chunks } = await database.interruptible(signal, start).catch(rethrowDamage);
  return { columns, rows: guarded(database, signal, rows), chunks: guarded(database, signal, chunks) };
}

async function* guarded<Item>(
  database: DuckDb,
  signal: AbortSignal | undefined,
  items: AsyncIterable<Item>,
): AsyncIterableIterator<Item> {
  const stop = database.interruptAt(signal);
  try {
    for await (const item of items) {
      signal?.throwIfAborted();
      yield item;
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : damageOr(error);
  } finally {
    stop();
  }
}

/** One view per table. Names of files and columns can't be bound; they are our own, and quoted all the same. */
function viewStatements(versionFolder: string, { tables }: Manifest): string {
  return Object.entries(tables)
    .map(([table, published]) => `create view ${sqlName(table)} as ${viewSelect(versionFolder, published)};`)
    .join("\n");
}

function viewSelect(versionFolder: string, { columns, files }: ManifestTable): string {
  const list = columns.map(({ name, type }) => `${fromFile(sqlName(name), type)} as ${sqlName(name)}`);
  const paths = files.map(({ path }) => sqlText(join(versionFolder, path)));
  return `select ${list.join(", ")} from read_parquet([${paths.join(", ")}], hive_partitioning = false)`;
}

/**
 * Statements that make views of `staging` over what is published, each after what it reads: the models' own SQL, which
 * names published tables `mart.table`.
 * @param names as `staging.view`, of models that are made from published tables alone
 */
function stagingViewStatements(names: readonly string[]): string {
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
