import { join } from "node:path";
import type { DuckDb } from "../../../engines/duckdb/duckdb.ts";
import { readSql } from "../../../util/files/package-files.ts";
import { setVariables } from "../../declare-tables.ts";
import { ReaderFailure } from "../../errors.ts";
import { judgeLines } from "../judge-lines.ts";
import { type Matches, matchPlays, mergeRepeats, noMatches, type Repeats } from "../match-plays.ts";
import { nameLines } from "../name-lines.ts";
import { readLines } from "../read-lines.ts";
import { copyPieces } from "./copy-pieces.ts";
import type { PlacedPiece, PlacedPieces } from "./landing-pieces.ts";

interface ReadOptions {
  folder: string;
  isCareful: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * If at least this share of a landing is new, DuckDB reads the whole landing instead of a copy of the new
 * pieces.
 */
const wholeShare = 0.6;

export interface LinesRead extends Matches, Repeats {
  /** Rows in `temp.line`. */
  rows: number;
}

/**
 * Reads unknown pieces into `temp.line`, and repeats this until no known piece must be read again. Judges
 * each line, finds names, merges repeated lines, and matches all records with core (`temp.matched`).
 */
export async function readNewPieces(
  warehouse: DuckDb,
  { list, rows: rowsOfAll }: PlacedPieces,
  options: ReadOptions,
): Promise<LinesRead> {
  const found: LinesRead = { rows: 0, validLines: 0, repeatedKeys: 0, ...noMatches };
  for (let reading = 1; ; reading += 1) {
    options.signal?.throwIfAborted();
    await setVariables(warehouse, { reading, rows_before: found.rows });
    const chosen = await choosePieces(warehouse, list);
    if (chosen.length === 0) return found;
    const rows =
      reading === 1 && rowsOfAll !== undefined
        ? await readWhole(warehouse, list, rowsOfAll)
        : await readChosen(warehouse, list, chosen, reading, options);
    await checkRows(warehouse, list, rows);
    found.rows += rows;
    await warehouse.run(readSql("load/history/find_refused.sql"));
    await judgeLines(warehouse, list, options.signal);
    await nameLines(warehouse, list, {
      path: join(options.folder, `sets-${reading}.jsonl`),
      signal: options.signal,
    });
    const matches = await matchPlays(warehouse);
    Object.assign(found, matches, await mergeRepeats(warehouse, matches));
    if (found.repeatedKeys > 0) Object.assign(found, await matchPlays(warehouse));
  }
}

/** @returns the pieces to read in this round, in order */
async function choosePieces(warehouse: DuckDb, list: readonly PlacedPiece[]): Promise<PlacedPiece[]> {
  const chosen = await warehouse.all<{ place: number }>(readSql("load/history/choose_pieces.sql"));
  const places = new Set(chosen.map(({ place }) => place));
  return list.filter((_, place) => places.has(place));
}

/** Reads either the whole landing or a copy of the chosen pieces. @returns the number of rows */
async function readChosen(
  warehouse: DuckDb,
  list: readonly PlacedPiece[],
  chosen: readonly PlacedPiece[],
  reading: number,
  { folder, isCareful, signal }: ReadOptions,
): Promise<number> {
  const files = new Map(list.map(({ landing, path }) => [landing, path]));
  const [file] = files.size === 1 ? files.values() : [];
  const isMost = sumBytes(chosen) >= wholeShare * sumBytes(list);
  if (reading === 1 && file !== undefined && isMost && !isCareful) {
    return await readWhole(warehouse, list, await readLines(warehouse, file));
  }
  const path = join(folder, `reading-${reading}.jsonl`);
  await copyPieces(chosen, path, {
    isCareful: isCareful || chosen.some((piece) => piece.hasLongLine),
    signal,
  });
  return await readLines(warehouse, path);
}

async function readWhole(warehouse: DuckDb, list: readonly PlacedPiece[], rows: number): Promise<number> {
  if (list.some(({ hasLongLine }) => hasLongLine)) {
    throw new ReaderFailure(`a line of ${list[0]?.path} is too long for DuckDB`);
  }
  await warehouse.run("update temp.piece set is_known = false, reading = getvariable('reading')");
  return rows;
}

function sumBytes(pieces: readonly PlacedPiece[]): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** @throws {ReaderFailure} unless DuckDB read one row per line */
async function checkRows(warehouse: DuckDb, list: readonly PlacedPiece[], rows: number): Promise<void> {
  const { lines } = await warehouse.get<{ lines: number }>(
    `select cast(coalesce(sum(lines - blank), 0) as bigint) as lines
    from temp.piece where reading = getvariable('reading')`,
  );
  if (rows !== lines) {
    throw new ReaderFailure(`DuckDB read ${rows} of ${lines} lines of ${list[0]?.path}`);
  }
}

/** Number of rows to change per transaction, because DuckDB keeps uncommitted changes in memory. */
const sliceRows = 2_000_000;

/**
 * Assigns plays to the pieces in which they were read, then enters these pieces into the ledger. The load's
 * own transaction removed the pieces that contained these plays before, so after a crash in between, the
 * pieces are only read a second time.
 */
export async function recordPieces(warehouse: DuckDb, signal?: AbortSignal): Promise<void> {
  const { lastRow } = await warehouse.get<{ lastRow: number }>(
    `select coalesce(max(stored_row), -1) as "lastRow" from temp.matched`,
  );
  for (let row = 0; row <= lastRow; row += sliceRows) {
    signal?.throwIfAborted();
    await warehouse.run(readSql("load/history/move_plays.sql"), [row, row + sliceRows]);
  }
  await warehouse.transaction(async () => {
    await warehouse.run(readSql("load/history/record_pieces.sql"));
  });
}
