import { closeSync, openSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { escapeGlob } from "../../engines/sql-text.ts";
import { awaitBoth } from "../../util/await-both.ts";
import { readSql } from "../../util/files/package-files.ts";
import { appendRows, clearTable, setVariables } from "../declare-tables.ts";
import { isReaderFailure } from "../errors.ts";
import { lineEnd, maxLineBytes } from "../lines/line-cursor.ts";
import type { LineIndex } from "../lines/line-index.ts";
import { indexLines, type LandingLines, locateLines } from "./landing-lines.ts";
import type { OpenLanding } from "./open-landing.ts";

interface ReadOptions {
  folder: string;
  /** Called with a sample of the lines. */
  onSample: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/** If at least this fraction of the lines is new, DuckDB reads the whole file instead of a copy of the new lines. */
const wholeShare = 0.6;

/**
 * Reads lines whose hash is not in core into `temp.line`. If DuckDB can't read the file, for example
 * because an object spans lines, it reads a copy without such lines.
 * @throws {LandingUnreadableError}
 */
export async function readFreshLines(
  warehouse: DuckDb,
  landings: readonly [OpenLanding, ...OpenLanding[]],
  { folder, signal, onSample }: ReadOptions,
): Promise<LandingLines> {
  const isHashed = await hasHashes(warehouse);
  const file = locateLines(landings, folder);
  const { path, isCopy } = file;
  const readFile = () => readInOrder(warehouse, isHashed ? "hash_lines" : "read_lines", path);
  const indexing = () => indexLines(warehouse, landings, file, { onSample, signal });
  const [lines, rows] = isCopy
    ? [await indexing(), await readFile()]
    : await awaitBoth(indexing(), readFile());
  const { index } = lines;
  let rowsRead = isHashed ? undefined : rows;
  if (isHashed && rows === index.rows) {
    if ((await findFresh(warehouse, index)) < wholeShare * rows) {
      await readCopy(warehouse, lines, { folder, signal });
      return lines;
    }
    await setVariables(warehouse, { skips_known: false });
    rowsRead = await readInOrder(warehouse, "read_lines", path);
  }
  if (rowsRead === index.rows && index.longestBytes <= maxLineBytes) return lines;
  // Hashes can be used only if each line has one.
  const useless = isHashed && rows === index.rows ? [] : ["line_hash"];
  for (const table of ["line", "unmatched", ...useless]) await clearTable(warehouse, table);
  await warehouse.run(
    `insert into temp.unmatched (file_row, hash)
    select r.range, h.hash from range(cast(? as bigint)) as r left join temp.line_hash as h on h.rowid = r.range`,
    [index.rows],
  );
  await readCopy(warehouse, lines, { folder, signal });
  return lines;
}

/**
 * Returns true if this source was loaded before, so core may already contain its records. Hashes are not computed for
 * the first load of an export, to save time, or for a walk, which contains only new records.
 */
async function hasHashes(warehouse: DuckDb): Promise<boolean> {
  return (
    (await warehouse.find(
      `select 1 from core.load
      where kind = getvariable('kind') and source = getvariable('source') and source <> 'walk'
        and group_id is not distinct from getvariable('group_id')
      limit 1`,
    )) !== undefined
  );
}

/** If core has more plays per line than this, reading all lines is faster than comparing hashes with all plays. */
const maxPlaysPerLine = 8;

/** Fills `temp.unmatched`. @returns the number of lines to read, whose hashes are not in core */
async function findFresh(warehouse: DuckDb, { rows, oddRows }: LineIndex): Promise<number> {
  await setVariables(warehouse, { skips_known: true });
  const { plays } = await warehouse.get<{ plays: number }>(
    "select count(*) as plays from temp.stored_play where is_known",
  );
  if (plays > maxPlaysPerLine * rows) return rows;
  for (let from = 0; from < oddRows.length; from += pageRows) {
    const page = oddRows.slice(from, from + pageRows).map((row) => ({ file_row: row }));
    await appendRows(warehouse, "odd_line", page);
  }
  const { lines } = await warehouse.get<{ lines: number }>(readSql("load/history/find_fresh.sql"));
  return lines;
}

/** Reads the lines in `temp.unmatched` from a copy. */
async function readCopy(
  warehouse: DuckDb,
  lines: LandingLines,
  { folder, signal }: Pick<ReadOptions, "folder" | "signal">,
): Promise<void> {
  const wanted = await inOrder(warehouse, readSql("load/history/select_fresh.sql"));
  if (wanted === 0) return;
  const path = join(folder, "fresh.jsonl");
  await copyFresh(warehouse, lines, path, signal);
  const rows = await readInOrder(warehouse, "read_lines", path);
  if (rows !== wanted) throw new Error(`DuckDB read ${rows} of ${wanted} lines of ${lines.path}`);
}

const pageRows = 20_000;
const flushBytes = 4 * 1024 * 1024;
const refusedLine = Buffer.from("null");

/**
 * Copies the lines in `temp.fresh_line`. Writes `null` for a line that could make DuckDB reject other lines; that line
 * is classified later, from the landing.
 */
async function copyFresh(
  warehouse: DuckDb,
  { path, index }: LandingLines,
  to: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const file = openSync(to, "wx");
  let parts: Buffer[] = [];
  let bytesHeld = 0;
  const flush = () => {
    writeFileSync(file, Buffer.concat(parts));
    [parts, bytesHeld] = [[], 0];
  };
  try {
    for (let from = 0; ; from += pageRows) {
      signal?.throwIfAborted();
      const page = await warehouse.all<{ row: number }>(
        'select file_row as "row" from temp.fresh_line where rowid >= ? and rowid < ? order by rowid',
        [from, from + pageRows],
      );
      const rows = page.map(({ row }) => row);
      await index.read(path, rows, ({ bytes, isPlain }) => {
        const line = isPlain ? Buffer.from(bytes) : refusedLine;
        parts.push(line, lineEnd);
        bytesHeld += line.length;
        if (bytesHeld > flushBytes) flush();
      });
      flush();
      if (rows.length < pageRows) return;
    }
  } finally {
    closeSync(file);
  }
}

/** Reads a file's lines as strings into `temp.sample_text`. */
export async function readSample(warehouse: DuckDb, path: string): Promise<void> {
  await setVariables(warehouse, { read_file: toFilePattern(path) });
  await warehouse.run("insert into temp.sample_text by name from temp.line_text");
}

/** Escapes a path for DuckDB's readers. */
export function toFilePattern(path: string): string {
  return escapeGlob(resolve(path));
}

/** @returns the number of rows; undefined if DuckDB can't read the file */
async function readInOrder(
  warehouse: DuckDb,
  script: "hash_lines" | "read_lines",
  path: string,
): Promise<number | undefined> {
  await setVariables(warehouse, { read_file: toFilePattern(path) });
  try {
    return await inOrder(warehouse, readSql(`load/history/${script}.sql`));
  } catch (error) {
    if (!isReaderFailure(error)) throw error;
    return undefined;
  }
}

/** Runs a statement with row order preserved, which is slower. */
async function inOrder(warehouse: DuckDb, sql: string): Promise<number> {
  await warehouse.run("set preserve_insertion_order = true");
  try {
    return await warehouse.run(sql);
  } finally {
    await warehouse.run("set preserve_insertion_order = false");
  }
}
