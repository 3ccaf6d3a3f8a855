import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import type { LoadOptions, ReadableLanding } from "./history-landing.ts";
import { latestPlayedAt } from "./latest-played-at.ts";
import { type LinesTaken, ReaderFailure } from "./lines-taken.ts";
import { loadFirst } from "./load-first.ts";
import { loadKnown } from "./load-known.ts";
import { dropLoadTables } from "./load-variables.ts";
import { prepareReader } from "./prepare-reader.ts";
import { renewZoneDays } from "./zone-days.ts";

/** Enters what became of the lines into the ledger, while the load's tables are there. */
type EnterTaken<Result> = (taken: LinesTaken, loadedAt: Date) => Promise<Result>;

/**
 * Loads a landing if DuckDB can read the file; else answers `undefined`, with nothing done.
 * @param enter what it answers is answered
 * @throws {LandingUnreadableError}
 */
export async function loadReadable<Result>(
  warehouse: DuckDb,
  landing: ReadableLanding,
  options: LoadOptions,
  enter: EnterTaken<Result>,
): Promise<Result | undefined> {
  const isCopy = landing.readPath !== landing.path;
  try {
    return await warehouse.transaction(() => load(warehouse, landing, options, enter));
  } catch (error) {
    if (!isCopy && !options.signal?.aborted && isReaderFailure(error)) return undefined;
    throw error;
  } finally {
    await warehouse.run("reset preserve_insertion_order; reset disabled_optimizers");
  }
}

async function load<Result>(
  warehouse: DuckDb,
  landing: ReadableLanding,
  { signal, onProgress, loadedAt }: LoadOptions,
  enter: EnterTaken<Result>,
): Promise<Result> {
  const run = async (file: string) => {
    signal?.throwIfAborted();
    await warehouse.run(readSql(`load/${file}.sql`));
  };
  const { path, kind, readPath, requestedAt, source } = landing;
  await prepareReader(warehouse, landing);

  onProgress?.("reading plays");
  const way = (await isFirstOfKind(warehouse)) ? loadFirst : loadKnown;
  const taken = await way(warehouse, {
    path,
    kind,
    latestPlayedAt: latestPlayedAt(requestedAt),
    isCopy: readPath !== path,
    signal,
  });

  onProgress?.("storing names and days");
  await run("collect_names");
  await run("shared/merge_names");
  await run("remember_days");
  await run("seen_zones");
  await run("shared/mark_dirty_days");
  if (source === "export" && landing.groupId !== undefined) {
    await run("sight_exported_zones");
    await run("shared/note_sightings");
  }
  const result = await enter(taken, loadedAt);
  await taken.unknownFields.store(warehouse);
  await renewZoneDays(warehouse);
  await dropLoadTables(warehouse);
  signal?.throwIfAborted();
  return result;
}

async function isFirstOfKind(warehouse: DuckDb): Promise<boolean> {
  return (
    (await warehouse.find("select 1 from core.play where kind = getvariable('kind') limit 1")) === undefined
  );
}

/**
 * It throws on an object that goes on over the end of a line, on lines beyond its buffer, and on broken .gz files,
 * which reading in JavaScript says more plainly.
 */
function isReaderFailure(error: unknown): boolean {
  if (error instanceof ReaderFailure) return true;
  return error instanceof Error && /Malformed JSON|maximum_object_size|gzip/i.test(error.message);
}
