import { join } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { withLessMemory } from "../../engines/duckdb/with-less-memory.ts";
import { readSql } from "../../util/files/package-files.ts";
import { appendRows, clearTable, setVariables } from "../declare-tables.ts";
import { LandingUnreadableError } from "../errors.ts";
import { withScratchFolder } from "../temporary-folder.ts";
import { UnknownFields } from "../unknown-fields.ts";
import { refreshZoneDays } from "../zone-days.ts";
import { classifyLines } from "./classify-lines.ts";
import { declareLoad, enterLoads, findLoads, type LoadResult } from "./ledger.ts";
import { matchRecords } from "./match-plays.ts";
import { nameLines } from "./name-lines.ts";
import {
  findNewestLanding,
  type HistoryLanding,
  type LoadOptions,
  type OpenLanding,
  openLandings,
  readUnchanged,
  type WalkLanding,
} from "./open-landing.ts";
import { readFreshLines } from "./read-lines.ts";

export type { LoadResult } from "./ledger.ts";
export type { HistoryLanding, LoadOptions } from "./open-landing.ts";

/**
 * Fraction of the memory limit that DuckDB may use. The rest is for its JSON reader, whose memory this limit does not
 * include.
 */
const memoryShare = 0.75;

/**
 * Loads one file of history lines into core, in one transaction, and accounts for every line. Skips lines that
 * match a play in core exactly.
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
 * Loads walks of one kind and different zones in one transaction, because a load runs a few dozen statements even for
 * a single line. The ledger, rejects and plays are the same as for separate loads.
 * @returns `undefined` if a file is missing, broken or changing, or contains plays of another zone. Nothing was
 *    changed then, and the walks must be loaded one by one.
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
        return await load(warehouse, [first, ...others], options);
      } finally {
        await warehouse.run("reset preserve_insertion_order");
      }
    }),
  );
  return [...repeats, ...loads];
}

/** Reads lines into temporary tables, then changes core in one transaction. */
async function load(
  warehouse: DuckDb,
  landings: readonly [OpenLanding, ...OpenLanding[]],
  { signal, onProgress, loadedAt }: LoadOptions,
): Promise<LoadResult[]> {
  const [{ kind, source }] = landings;
  return await withScratchFolder(warehouse, async (folder) => {
    await declareLoad(warehouse, landings, loadedAt);
    const unknownFields = new UnknownFields(kind);
    onProgress?.("reading plays");
    const rows = await readUnchanged(landings, async () => {
      const lines = await readFreshLines(warehouse, landings, {
        folder,
        signal,
        onSample: unknownFields.inspect,
      });
      await warehouse.run(readSql("load/history/find_refused.sql"));
      await classifyLines(warehouse, lines, signal);
      await nameLines(warehouse, lines, { path: join(folder, "sets.jsonl"), signal });
      return await countRows(warehouse);
    });
    await assertZonesMatch(warehouse, landings);
    const { validLines, matched, changed } = await matchRecords(warehouse);
    await setVariables(warehouse, { new_records: validLines - matched, changed_records: changed });
    const vanished = await countVanished(warehouse, landings);

    onProgress?.("storing names and days");
    const loads = await warehouse.transaction(async () => {
      if (rows > 0) await warehouse.run(readSql("load/history/apply.sql"));
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
    // Frees memory for the next step and the next load.
    for (const table of ["line", "unmatched"]) await clearTable(warehouse, table);
    if (source !== "walk" && matched > 0) await storeHashes(warehouse, signal);
    for (const table of ["line_hash", "matched"]) await clearTable(warehouse, table);
    return loads;
  });
}

async function countRows(warehouse: DuckDb): Promise<number> {
  const { rows } = await warehouse.get<{ rows: number }>('select count(*) as "rows" from temp.line');
  return rows;
}

/** Number of rows to change at a time. DuckDB keeps changes in memory until they are written to the file. */
const sliceRows = 2_000_000;

/**
 * Stores the hashes of lines whose plays core already had, so that the next load can skip these lines. If this is
 * interrupted, the next load reads them again.
 */
async function storeHashes(warehouse: DuckDb, signal: AbortSignal | undefined): Promise<void> {
  const { lastRow } = await warehouse.get<{ lastRow: number }>(
    `select coalesce(max(stored_row), -1) as "lastRow" from temp.matched`,
  );
  for (let row = 0; row <= lastRow; row += sliceRows) {
    if (signal?.aborted) return;
    await warehouse.run(readSql("load/history/store_hashes.sql"), [row, row + sliceRows]);
    if (lastRow >= sliceRows) await warehouse.run("checkpoint");
  }
}

/** Thrown for walks that must be loaded one by one. */
class IncompatibleWalksError extends Error {
  override readonly name = "IncompatibleWalksError";
}

/** @throws {IncompatibleWalksError} if one of several walks contains plays of another zone */
async function assertZonesMatch(warehouse: DuckDb, landings: readonly OpenLanding[]): Promise<void> {
  if (landings.length === 1) return;
  const { mismatched } = await warehouse.get<{ mismatched: number }>(
    `select count(*) as mismatched
    from temp.record as r
    inner join temp.landing_lines as n on r.line_row >= n.from_row and r.line_row < n.to_row
    inner join temp.landing as l on l.load_id = n.load_id
    where r.zone_id <> l.zone_id`,
  );
  if (mismatched > 0) throw new IncompatibleWalksError(`${mismatched} plays of other zones`);
}

/** Counts the plays in core that are missing from a complete export. Also fills the table of zones in the export. */
async function countVanished(
  warehouse: DuckDb,
  [{ source }]: readonly [OpenLanding, ...OpenLanding[]],
): Promise<number> {
  if (source !== "export") return 0;
  return (await warehouse.get<{ vanished: number }>(readSql("load/history/find_vanished.sql"))).vanished;
}
