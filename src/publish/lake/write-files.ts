import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { escapeGlob, sqlText } from "../../engines/sql-text.ts";
import { manifestFile, tableByMonth, writeColumn } from "../../lake/layout.ts";
import type { LakeFile, MachineManifest } from "../../lake/machine.ts";
import { renameDurably, syncToDisk } from "../../util/files/durable-files.ts";
import { sha256Of } from "../../util/files/file-content.ts";
import { makeFolder } from "../../util/files/folders.ts";
import { countOf } from "../../util/text/words.ts";
import { VenueError } from "../../util/venue-error.ts";
import { readSpans, writeParquetFile } from "../files/parquet-file.ts";
import { isIntact } from "../version-files.ts";
import { findRows, type WantedFile } from "./table-content.ts";

interface WriteFilesOptions {
  lake: string;
  /** Folder of incomplete files, on the lake's file system. */
  unfinished: string;
  before: MachineManifest | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the path of each file before it is written. */
  onProgress: (path: string) => void;
}

interface WrittenFiles {
  /** Files in the requested order. */
  files: LakeFile[];
  /** Files that did not exist yet. */
  written: number;
}

/**
 * Ensures that the lake has all these files, and that they are on disk when this resolves. Existing files are
 * not touched.
 */
export async function writeFiles(
  warehouse: DuckDb,
  wanted: readonly WantedFile[],
  options: WriteFilesOptions,
): Promise<WrittenFiles> {
  const { lake, before, signal, onProgress } = options;
  const files: Promise<LakeFile>[] = [];
  let written = 0;
  try {
    for (const file of wanted) {
      signal?.throwIfAborted();
      const there =
        (await findPublished(lake, file, before)) ?? (await findLeftoverFile(warehouse, lake, file));
      if (there) files.push(Promise.resolve(there));
      else {
        onProgress(file.path);
        // This returns before the file is on disk, so that the next one is computed meanwhile.
        const { placed } = await writeFile(warehouse, file, options);
        files.push(placed);
        written += 1;
      }
    }
    return { files: await Promise.all(files), written };
  } finally {
    await Promise.allSettled(files);
  }
}

async function writeFile(
  warehouse: DuckDb,
  file: WantedFile,
  { lake, unfinished }: WriteFilesOptions,
): Promise<{ placed: Promise<LakeFile> }> {
  const select = selectWritten(file);
  const { path } = file;
  const { finished } = await writeParquetFile(warehouse, { select, versionFolder: unfinished, path });
  const { rows } = (await readSpans(warehouse, unfinished, [path]))(path);
  const placed = finished.then((size) => {
    placeFile(lake, unfinished, path);
    return describeFile(file, { rows, ...size });
  });
  // The caller that awaits `placed` gets its error. Until then, the error must not count as unhandled.
  placed.catch(() => undefined);
  return { placed };
}

async function findPublished(
  lake: string,
  { table, path }: WantedFile,
  before: MachineManifest | undefined,
): Promise<LakeFile | undefined> {
  const file = before?.tables[table]?.files.find((one) => one.path === path);
  if (!before || !file) return undefined;
  const { bytes, sha256 } = file;
  const manifestPath = manifestFile(lake, before.name);
  return (await isIntact(join(lake, path), { bytes, sha256, manifestPath })) ? file : undefined;
}

/** Finds a file left by an earlier or killed publish. Readers may still be using it. */
async function findLeftoverFile(
  warehouse: DuckDb,
  lake: string,
  wanted: WantedFile,
): Promise<LakeFile | undefined> {
  const path = join(lake, wanted.path);
  if (!existsSync(path)) return undefined;
  const rows = await findRows(warehouse, path, wanted);
  if (rows === undefined) return undefined;
  return describeFile(wanted, { rows, bytes: statSync(path).size, sha256: await sha256Of(path) });
}

function describeFile(
  { path, month }: WantedFile,
  found: Pick<LakeFile, "rows" | "bytes" | "sha256">,
): LakeFile {
  return { path, ...found, ...(month !== undefined && { month }) };
}

function selectWritten({ table, columns, select }: WantedFile): string {
  const list = columns.map((column) => `${writeColumn(column)} as ${column.name}`).join(", ");
  // Columns are qualified to sort by the original values, because the written columns have the same names.
  const order = table === tableByMonth ? "order by r.zone_id, r.played_at, r.item_id" : "";
  return `select ${list} from (${select}) as r ${order}`;
}

/** Moves the file into the lake and syncs it and its parent folders to disk. */
function placeFile(lake: string, unfinished: string, path: string): void {
  const target = join(lake, path);
  makeFolder(dirname(target));
  renameDurably(join(unfinished, path), target);
  for (let folder = dirname(dirname(path)); folder !== "."; folder = dirname(folder))
    syncToDisk(join(lake, folder));
}

/** Tables that never shrink, because a warehouse keeps each landing that it ever published. */
export const ledgers = ["load", "snapshot"] as const;

/**
 * Prevents a new or restored warehouse, or another machine with the same name, from removing data from the
 * lake.
 * @param folder folder with the lake's files, if `lake` is a URL
 * @throws {VenueError} `LAKE_LOSS` if the warehouse lacks loads or snapshots published under this name
 */
export async function assertNoLoss(
  warehouse: DuckDb,
  before: MachineManifest,
  { lake, folder = lake }: { lake: string; folder?: string },
): Promise<void> {
  for (const ledger of ledgers) {
    const files = before.tables[ledger]?.files ?? [];
    const missing = await countMissing(
      warehouse,
      ledger,
      files.map(({ path }) => join(folder, path)),
    );
    if (missing > 0) throw lakeLossError(lake, before.name, countOf(missing, ledger));
  }
}

async function countMissing(warehouse: DuckDb, ledger: string, files: readonly string[]): Promise<number> {
  if (files.length === 0) return 0;
  const list = files.map((file) => sqlText(escapeGlob(file))).join(", ");
  try {
    const { missing } = await warehouse.get<{ missing: number }>(
      `select count(*) as missing from read_parquet([${list}], hive_partitioning = false)
      where landing_id not in (select landing_id from core.${ledger})`,
    );
    return missing;
  } catch {
    // Damaged or missing files cannot show whether anything is lost.
    return 0;
  }
}

/** The lake has data that the warehouse lacks. Nothing was published. */
function lakeLossError(lake: string, machine: string, missing: string): VenueError {
  return new VenueError(
    "LAKE_LOSS",
    "damage",
    `The warehouse lacks ${missing} that ${machine} has published into ${lake}. Nothing was published; readers keep the current version. ` +
      "Was warehouse.duckdb moved away, removed, or replaced by an older copy? Put it back. Does another machine publish under this name? " +
      "Choose another name for this one with --source. To replace the published data anyway, add --accept-loss.",
  );
}
