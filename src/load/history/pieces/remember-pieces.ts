import type { DuckDb } from "../../../engines/duckdb/duckdb.ts";
import { readSql } from "../../../util/files/package-files.ts";

/** So many rows are changed at a time: what DuckDB keeps of a change until it is committed takes memory. */
const sliceRows = 2_000_000;

/**
 * Enters the pieces that were read into the ledger, once their plays are theirs. Pieces that showed these plays before
 * have left it with the load itself, so a crash in between costs a second reading, and nothing else.
 */
export async function rememberPieces(warehouse: DuckDb, signal?: AbortSignal): Promise<void> {
  const { lastRow } = await warehouse.get<{ lastRow: number }>(
    `select coalesce(max(stored_row), -1) as "lastRow" from temp.matched`,
  );
  for (let row = 0; row <= lastRow; row += sliceRows) {
    signal?.throwIfAborted();
    await warehouse.run(readSql("load/history/move_plays.sql"), [row, row + sliceRows]);
  }
  await warehouse.transaction(async () => {
    await warehouse.run(readSql("load/history/remember_pieces.sql"));
  });
}
