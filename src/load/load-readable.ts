import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import { bothSettled } from "./both-settled.ts";
import { countLines, type LineCounts } from "./count-lines.ts";
import { firstRecords } from "./first-records.ts";
import type { LoadOptions, ReadableLanding } from "./history-landing.ts";
import { knownRecords } from "./known-records.ts";
import { latestPlayedAt } from "./latest-played-at.ts";
import { enterLoad, type LoadResult } from "./ledger.ts";
import { dropLoadTables } from "./load-variables.ts";
import { prepareReader } from "./prepare-reader.ts";
import { judgeRefusedLines, type RefusedLines } from "./refused-lines.ts";

/**
 * Loads a landing if DuckDB can read the file; else answers `undefined`, with nothing done.
 * @throws {LandingUnreadableError}
 */
export async function loadReadable(
  warehouse: DuckDb,
  landing: ReadableLanding,
  options: LoadOptions,
): Promise<LoadResult | undefined> {
  const isCopy = landing.readPath !== landing.path;
  try {
    return await warehouse.transaction(() => load(warehouse, landing, options));
  } catch (error) {
    if (!isCopy && !options.signal?.aborted && isReaderFailure(error)) return undefined;
    throw error;
  } finally {
    await warehouse.run("reset preserve_insertion_order");
  }
}

async function load(warehouse: DuckDb, landing: ReadableLanding, options: LoadOptions): Promise<LoadResult> {
  const { signal, onProgress } = options;
  await prepareReader(warehouse, landing);
  const way = (await isFirstOfKind(warehouse)) ? firstRecords : knownRecords;

  onProgress?.("reading plays");
  const [soundLines, counts] = await bothSettled(way.read(warehouse), countLines(landing.path, signal));
  const refusedLines = countRefused(counts, soundLines, landing);
  if (refusedLines > 0) onProgress?.(`judging ${refusedLines} refused lines`);
  const refused = await judgeRefused(warehouse, landing, refusedLines, counts, signal);
  onProgress?.("storing plays");
  const records = await way.settle(warehouse, refused);

  onProgress?.("storing names and days");
  await warehouse.run(readSql("load/collect_names.sql"));
  await warehouse.run(readSql("load/merge_names.sql"));
  await warehouse.run(readSql("load/remember_days.sql"));
  await warehouse.run(readSql("load/seen_zones.sql"));
  await warehouse.run(readSql("load/mark_dirty_days.sql"));
  await warehouse.run(readSql("load/renew_zone_days.sql"));
  if (landing.source === "export" && landing.groupId !== undefined) {
    await warehouse.run(readSql("load/note_sightings.sql"));
  }
  const { zeroSecond } = await warehouse.get<{ zeroSecond: number }>(readSql("load/count_zero_second.sql"));
  const result = await enterLoad(
    warehouse,
    landing,
    {
      ...records,
      lines: counts.lines,
      rejected: refused.rejected,
      blank: counts.blank + refused.blank,
      zeroSecond,
      vanished: await countVanished(warehouse, landing),
    },
    options.loadedAt,
  );
  await dropLoadTables(warehouse);
  return result;
}

async function isFirstOfKind(warehouse: DuckDb): Promise<boolean> {
  return (
    (await warehouse.find("select 1 from core.play where kind = getvariable('kind') limit 1")) === undefined
  );
}

/** @throws {ReaderFailure} when DuckDB saw other lines than there are */
function countRefused(counts: LineCounts, soundLines: number, landing: ReadableLanding): number {
  const isCopy = landing.readPath !== landing.path;
  if (counts.hasLongLine && !isCopy) throw new ReaderFailure(`a line of ${landing.path} is too long`);
  const refusedLines = counts.lines - counts.blank - soundLines;
  if (refusedLines < 0) throw new ReaderFailure(`DuckDB sees more lines in ${landing.path} than there are`);
  return refusedLines;
}

async function judgeRefused(
  warehouse: DuckDb,
  landing: ReadableLanding,
  refusedLines: number,
  counts: LineCounts,
  signal: AbortSignal | undefined,
): Promise<RefusedLines> {
  if (refusedLines === 0) return { mended: 0, rejected: 0, blank: 0 };
  // In the order of the file, so that a row's place tells the line's.
  await warehouse.run("set preserve_insertion_order = true");
  await warehouse.run(readSql("load/test_lines.sql"));
  await warehouse.run("set preserve_insertion_order = false");
  const { seen } = await warehouse.get<{ seen: number }>("select count(*) as seen from line_test");
  if (seen !== counts.lines - counts.blank) {
    throw new ReaderFailure(`DuckDB sees other lines in ${landing.path} than there are`);
  }
  const refused = await judgeRefusedLines(warehouse, {
    path: landing.path,
    kind: landing.kind,
    latestPlayedAt: latestPlayedAt(landing.requestedAt),
    signal,
  });
  if (refused.mended + refused.rejected + refused.blank !== refusedLines) {
    throw new Error(
      `${refusedLines} lines of ${landing.path} were refused, and ${JSON.stringify(refused)} judged`,
    );
  }
  return refused;
}

async function countVanished(warehouse: DuckDb, { source, isComplete }: ReadableLanding): Promise<number> {
  if (source !== "export" || !isComplete) return 0;
  return (await warehouse.get<{ vanished: number }>(readSql("load/count_vanished.sql"))).vanished;
}

/** DuckDB's reader can't be used on the file as it is. */
class ReaderFailure extends Error {
  override readonly name = "ReaderFailure";
}

/** It throws on an object that goes on over the end of a line, and on lines beyond its buffer. */
function isReaderFailure(error: unknown): boolean {
  if (error instanceof ReaderFailure) return true;
  return error instanceof Error && /Malformed JSON|maximum_object_size/.test(error.message);
}
