import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { withLessMemory } from "../../engines/duckdb/with-less-memory.ts";
import { readSql } from "../../util/files/package-files.ts";
import { appendRows, setVariables } from "../declare-tables.ts";
import { isReaderFailure, LandingUnreadableError } from "../errors.ts";
import { withScratchFolder } from "../temporary-folder.ts";
import { UnknownFields } from "../unknown-fields.ts";
import { refreshZoneDays } from "../zone-days.ts";
import { declareLoad, enterLoads, findLoads, type LoadResult } from "./ledger.ts";
import {
  findNewestLanding,
  type HistoryLanding,
  type LoadOptions,
  type OpenLanding,
  openLandings,
  readUnchanged,
  type WalkLanding,
} from "./open-landing.ts";
import { cutLandings } from "./pieces/landing-pieces.ts";
import { type LinesRead, readNewPieces, recordPieces } from "./pieces/read-new-pieces.ts";

export type { LoadResult } from "./ledger.ts";
export type { HistoryLanding, LoadOptions } from "./open-landing.ts";

/**
 * Share of the memory limit that DuckDB may use. The rest is for DuckDB's JSON reader and a landing's pieces,
 * which DuckDB's own limit does not cover.
 */
const memoryShare = 0.75;

/**
 * Loads one file of history lines into core, in one transaction, and accounts for every line. Skips pieces
 * that were loaded before.
 * @throws {LandingUnreadableError} if the file is missing or broken, or changes while it is read
 */
export async function loadHistory(
  warehouse: DuckDb,
  landing: HistoryLanding,
  options: LoadOptions,
): Promise<LoadResult> {
  const [result] = await loadTogether(warehouse, [landing], options);
  if (!result) throw new Error(`the load of ${landing.landingId} was not entered`);
  return result;
}

/**
 * Loads walks of one kind and different zones in one transaction, because a load runs a few dozen statements
 * even for a single line. The ledger, rejects and plays are the same as for separate loads.
 * @returns `undefined`, without having changed anything, if the walks must be loaded one by one, because a
 * file is missing, broken or changing, or holds plays of another zone
 */
export async function loadWalks(
  warehouse: DuckDb,
  landings: readonly WalkLanding[],
  options: LoadOptions,
): Promise<LoadResult[] | undefined> {
  try {
    return await loadTogether(warehouse, landings, options);
  } catch (error) {
    if (error instanceof LandingUnreadableError || error instanceof IncompatibleWalksError) return undefined;
    throw error;
  }
}

async function loadTogether(
  warehouse: DuckDb,
  landings: readonly HistoryLanding[],
  options: LoadOptions,
): Promise<LoadResult[]> {
  const { signal } = options;
  signal?.throwIfAborted();
  const earlier = await findLoads(warehouse, landings);
  const open = landings.filter(({ landingId }) => earlier.every((load) => load.landingId !== landingId));
  const repeats = earlier.map((load) => ({ ...load, isRepeat: true }));
  const [first, ...others] = await openLandings(warehouse, open);
  if (!first) return repeats;
  const loads = await warehouse.interruptible(signal, () =>
    withLessMemory(warehouse, memoryShare, async () => {
      try {
        return await load(warehouse, [first, ...others], options, false);
      } catch (error) {
        if (signal?.aborted || !isReaderFailure(error)) throw error;
        return await load(warehouse, [first, ...others], options, true);
      } finally {
        await warehouse.run("reset preserve_insertion_order");
      }
    }),
  );
  return [...repeats, ...loads];
}

/**
 * Reads new lines into temporary tables, then changes core in one transaction.
 * @param isCareful if true, DuckDB reads a copy without the lines that make its reader fail
 */
async function load(
  warehouse: DuckDb,
  landings: readonly [OpenLanding, ...OpenLanding[]],
  options: LoadOptions,
  isCareful: boolean,
): Promise<LoadResult[]> {
  const { signal, onProgress, pieceSizes } = options;
  const [{ kind }] = landings;
  return await withScratchFolder(warehouse, async (folder) => {
    await declareLoad(warehouse, landings, options.loadedAt);
    const unknownFields = new UnknownFields(kind);
    onProgress?.("reading plays");
    const found = await readUnchanged(landings, async () => {
      const pieces = await cutLandings(warehouse, landings, {
        folder,
        isCareful,
        signal,
        sizes: pieceSizes,
        show: unknownFields.inspect,
      });
      return await readNewPieces(warehouse, pieces, { folder, isCareful, signal });
    });
    await assertZonesMatch(warehouse, landings);
    const vanished = await countVanished(warehouse, landings);

    onProgress?.("storing names and days");
    const loads = await warehouse.transaction(async () => {
      if (found.rows > 0) await applyRecords(warehouse, found);
      signal?.throwIfAborted();
      const entered = await enterLoads(warehouse, landings, vanished);
      const { requestedAt } = findNewestLanding(landings);
      const fields = unknownFields.rows({ source: "history", kind, requestedAt });
      await appendRows(warehouse, "unknown_field", fields);
      await warehouse.run(readSql("load/shared/store_findings.sql"));
      await refreshZoneDays(warehouse);
      signal?.throwIfAborted();
      return entered;
    });
    if (landings[0].source !== "walk" && found.rows > 0) await recordPieces(warehouse, signal);
    // Frees memory for the next load; recreating the table is faster than deleting its rows.
    await warehouse.run("create or replace temp table line as from temp.line limit 0");
    return loads;
  });
}

async function applyRecords(warehouse: DuckDb, { validLines, matched, changed }: LinesRead): Promise<void> {
  await setVariables(warehouse, { new_records: validLines - matched, changed_records: changed });
  await warehouse.run(readSql("load/history/apply.sql"));
}

/** Thrown for walks that must be loaded one by one. */
class IncompatibleWalksError extends Error {
  override readonly name = "IncompatibleWalksError";
}

/** @throws {IncompatibleWalksError} if one of several walks holds plays of another zone */
async function assertZonesMatch(warehouse: DuckDb, landings: readonly OpenLanding[]): Promise<void> {
  if (landings.length === 1) return;
  const { mismatched } = await warehouse.get<{ mismatched: number }>(
    `select count(*) as mismatched
    from temp.record as r inner join temp.landing as l on l.load_id = r.load_id
    where r.zone_id <> l.zone_id`,
  );
  if (mismatched > 0) throw new IncompatibleWalksError(`${mismatched} plays of other zones`);
}

/** Counts plays that a complete export lacks. Also fills the table of zones in the export. */
async function countVanished(
  warehouse: DuckDb,
  [{ source }]: readonly [OpenLanding, ...OpenLanding[]],
): Promise<number> {
  if (source !== "export") return 0;
  return (await warehouse.get<{ vanished: number }>(readSql("load/history/find_vanished.sql"))).vanished;
}
