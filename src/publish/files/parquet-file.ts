import { createHash } from "node:crypto";
import { createReadStream, mkdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { sqlText } from "../../engines/sql-text.ts";
import type { ManifestFile } from "../../mart/manifest.ts";

/** Rows per row group: what DuckDB reads as one unit of work. */
export const rowGroupSize = 122_880;

export interface ParquetFileOptions {
  /** Without parameters; its order is that of the file. */
  select: string;
  versionFolder: string;
  /** Relative to the version folder; folders in between are made. */
  path: string;
  /** The select has a column `date`, whose span the manifest names. */
  hasDate: boolean;
}

/** A file whose rows are written; `finished` resolves once it is on disk and its fingerprint is known. */
export interface WrittenFile {
  rows: number;
  finished: Promise<ManifestFile>;
}

/**
 * Writes the rows of a select as one Parquet file. An empty one keeps its columns and types. The next file may be
 * begun before this one is finished: DuckDB computes while the disk and the hash are busy.
 */
export async function writeParquetFile(
  database: DuckDb,
  { select, versionFolder, path, hasDate }: ParquetFileOptions,
): Promise<WrittenFile> {
  const file = join(versionFolder, path);
  mkdirSync(dirname(file), { recursive: true });
  await database.run(
    `copy (${select}) to ${sqlText(file)} (format parquet, compression zstd, row_group_size ${rowGroupSize})`,
  );
  const span = await readSpan(database, file, hasDate);
  const finished = finishFile(file).then((size) => ({ path, ...span, ...size }));
  // Whoever awaits it sees the failure; meanwhile it must not count as one that nobody handles.
  finished.catch(() => undefined);
  return { rows: span.rows, finished };
}

async function finishFile(file: string): Promise<Pick<ManifestFile, "bytes" | "sha256">> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
    return { bytes: (await handle.stat()).size, sha256: await sha256Of(file) };
  } finally {
    await handle.close();
  }
}

/** Read back from the file itself, not from what was meant to be written. */
async function readSpan(
  database: DuckDb,
  file: string,
  hasDate: boolean,
): Promise<Pick<ManifestFile, "rows" | "min_date" | "max_date">> {
  const span = hasDate
    ? "min(date) as min_date, max(date) as max_date"
    : "null as min_date, null as max_date";
  return await database.get(`select count(*) as rows, ${span} from read_parquet(?)`, [file]);
}

/** Of a file's content, in hexadecimal. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest("hex");
}
