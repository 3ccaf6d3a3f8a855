import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDb } from "../../../engines/duckdb/duckdb.ts";
import { sqlText } from "../../../engines/sql-text.ts";
import { makeFolder } from "../../../util/files/folders.ts";
import type { Report } from "../../report.ts";
import type { FormatOptions } from "../formatter.ts";
import { canStoreChunks, storeChunks } from "./store-chunks.ts";
import { storeRows } from "./store-rows.ts";

const prefix = "venue-parquet-";
const memoryLimit = "128MB";

/**
 * A Parquet file: zstd, row groups of 122,880, instants in UTC, types as `published/` has them. Its end says where
 * everything lies, so it is written to a temporary folder first, in constant memory.
 * @throws {ValueRefusedError} for an integer beyond 64 bits, or a time such as `infinity`
 */
export async function* formatParquet(
  report: Report,
  { tempDir }: FormatOptions = {},
): AsyncIterable<Uint8Array> {
  const folder = createFolder(tempDir);
  try {
    const file = join(folder, "report.parquet");
    const database = await DuckDb.open({
      path: join(folder, "rows.duckdb"),
      memoryLimit,
      threads: 1,
      tempDir: folder,
    });
    try {
      const select = await (canStoreChunks(report)
        ? storeChunks(database, report)
        : storeRows(database, report));
      await database.run(
        `copy (${select}) to ${sqlText(file)} (format parquet, compression zstd, row_group_size 122880)`,
      );
    } finally {
      database.close();
    }
    yield* createReadStream(file, { highWaterMark: 1 << 20 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where the wanted folder can't be written (reports may be read by others), the system's serves. */
function createFolder(wanted: string | undefined): string {
  if (wanted !== undefined) {
    try {
      makeFolder(wanted);
      return mkdtempSync(join(wanted, prefix));
    } catch {}
  }
  return mkdtempSync(join(tmpdir(), prefix));
}
