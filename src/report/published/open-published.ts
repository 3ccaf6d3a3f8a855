import { readdir, readlink, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { DuckDb, type DuckDbStream } from "../../engines/duckdb.ts";
import type { SqlParameter } from "../../engines/engine.ts";
import { sqlText } from "../../engines/sql-text.ts";
import { parseSelect } from "../../engines/sql-tree.ts";
import { type Manifest, readManifest } from "../../mart/manifest.ts";
import {
  NothingPublishedError,
  PublishedDamagedError,
  VersionUnknownError,
} from "../../mart/published-errors.ts";
import { instantText } from "../text/time-text.ts";
import type { PublishedMart } from "./published-mart.ts";
import { viewStatements } from "./published-views.ts";
import { listLacking } from "./read-outdated.ts";
import { stagingViewStatements } from "./staging-views.ts";

export interface OpenPublishedOptions {
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
 * @throws {PublishedDamagedError} when the manifest can't be read, or a file is missing or cut short
 */
export async function openPublished(
  publishedFolder: string,
  { signal, asOf, ...options }: OpenPublishedOptions = {},
): Promise<PublishedMart> {
  const { versionFolder, manifest } = await (asOf === undefined
    ? readCurrent(publishedFolder)
    : readVersion(publishedFolder, asOf));
  const database = await DuckDb.open(options);
  try {
    await database.run(viewStatements(versionFolder, manifest));
    await confine(database, versionFolder);
  } catch (error) {
    database.close();
    throw damageOr(error);
  }
  return {
    version: manifest.version,
    dataAsOf: manifest.data_as_of === null ? null : instantText(manifest.data_as_of),
    tables: Object.keys(manifest.tables).sort(),
    lacking: () => listLacking(manifest),
    stream: (sql, parameters) => streamFrom(database, signal, () => database.stream(sql, parameters)),
    all: <Row>(sql: string, parameters?: readonly SqlParameter[]) =>
      database.interruptible(signal, () => database.all<Row>(sql, parameters)).catch(rethrowDamage),
    defineStaging: async (names) => {
      await database.run(stagingViewStatements(names)).catch(rethrowDamage);
    },
    parse: (sql) => parseSelect(database, sql),
    close: () => database.close(),
  };
}

interface WholeVersion {
  versionFolder: string;
  manifest: Manifest;
}

async function readCurrent(publishedFolder: string): Promise<WholeVersion> {
  const link = join(publishedFolder, "current");
  const versionFolder = await realpath(link).catch(async (error: unknown) => {
    const target = await readlink(link).catch(() => undefined);
    if (target === undefined) throw new NothingPublishedError(publishedFolder, { cause: error });
    throw new PublishedDamagedError(`${link} points to ${target}, which is missing`, { cause: error });
  });
  return await readWhole(versionFolder);
}

async function readVersion(publishedFolder: string, version: string): Promise<WholeVersion> {
  const entries = await readdir(publishedFolder).catch(() => []);
  const known = entries.filter((name) => /^v\d{6,}$/.test(name)).sort();
  if (!known.includes(version)) throw new VersionUnknownError(version, known, `in ${publishedFolder}`);
  return await readWhole(await realpath(join(publishedFolder, version)));
}

async function readWhole(versionFolder: string): Promise<WholeVersion> {
  const manifest = await readManifest(versionFolder);
  await assertWhole(versionFolder, manifest);
  return { versionFolder, manifest };
}

async function assertWhole(versionFolder: string, { tables }: Manifest): Promise<void> {
  const files = Object.values(tables).flatMap((table) => table.files);
  await Promise.all(
    files.map(async ({ path, bytes }) => {
      const file = join(versionFolder, path);
      const { size } = await stat(file).catch((error: unknown) => {
        throw new PublishedDamagedError(`${file} is missing`, { cause: error });
      });
      if (size !== bytes) {
        throw new PublishedDamagedError(`${file} has ${size} bytes instead of ${bytes}`);
      }
    }),
  );
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
  const interrupt = () => database.connection.interrupt();
  signal?.addEventListener("abort", interrupt);
  try {
    for await (const item of items) {
      signal?.throwIfAborted();
      yield item;
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : damageOr(error);
  } finally {
    signal?.removeEventListener("abort", interrupt);
  }
}

function rethrowDamage(error: unknown): never {
  throw damageOr(error);
}

/** DuckDB's words for a Parquet file that is gone or broken become an error of ours. */
function damageOr(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error);
  const isDamage =
    /^(IO|Invalid|Invalid Input|Serialization) Error: .*(magic bytes|too small to be a Parquet|TProtocolException|Decompression|No files found|No such file|parquet.*corrupt)/i.test(
      message,
    );
  return isDamage ? new PublishedDamagedError(message.split("\n", 1)[0] ?? message, { cause: error }) : error;
}
