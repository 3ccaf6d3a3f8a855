import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { ManifestColumn, ManifestFile, ManifestTable } from "../../mart/manifest.ts";
import { awaitBoth } from "../../util/await-both.ts";
import { readSpans } from "../files/parquet-file.ts";
import { type PublishedTable, type WriteTableOptions, type WrittenTable, writeTable } from "./write-table.ts";

interface WriteTablesOptions extends WriteTableOptions {
  columnsOf: (table: string) => ManifestColumn[];
  signal: AbortSignal | undefined;
}

/** Writes the files of all tables. All of them are on disk when this resolves. */
export async function writeTables(
  warehouse: DuckDb,
  tables: readonly PublishedTable[],
  options: WriteTablesOptions,
): Promise<{ tables: Record<string, ManifestTable>; linkedFiles: number }> {
  const written = await writeInTurn(warehouse, tables, options);
  const described: Record<string, ManifestTable> = {};
  for (const [{ table, published }, files] of await listFiles(warehouse, options.versionFolder, written)) {
    described[table] = {
      partitioned: published.isByMonth,
      columns: options.columnsOf(table),
      rows: files.reduce((sum, { rows }) => sum + rows, 0),
      files,
    };
  }
  const linkedFiles = [...written.values()].reduce((sum, { linked }) => sum + linked.length, 0);
  return { tables: described, linkedFiles };
}

/**
 * Writes two tables at a time, each on its own connection, because small files, and the beginning and end of
 * large ones, occupy only one thread. Writes one at a time if DuckDB has only one thread. After a failure no
 * further table is started.
 */
async function writeInTurn(
  warehouse: DuckDb,
  tables: readonly PublishedTable[],
  { columnsOf, signal, ...options }: WriteTablesOptions,
): Promise<Map<PublishedTable, WrittenTable>> {
  const written = new Map<PublishedTable, WrittenTable>();
  const waiting = [...tables];
  const inTurn = async (connection: DuckDb) => {
    try {
      for (let table = waiting.shift(); table; table = waiting.shift()) {
        signal?.throwIfAborted();
        written.set(table, await writeTable(connection, table, columnsOf(table.table), options));
      }
    } catch (error) {
      waiting.length = 0;
      throw error;
    }
  };
  const { threads } = await warehouse.get<{ threads: number }>(
    "select current_setting('threads') as threads",
  );
  if (threads === 1) await inTurn(warehouse);
  else {
    const second = await warehouse.share();
    try {
      await awaitBoth(
        inTurn(warehouse),
        second.interruptible(signal, () => inTurn(second)),
      );
    } finally {
      second.close();
    }
  }
  return new Map(tables.map((table) => [table, written.get(table) as WrittenTable]));
}

async function listFiles(
  warehouse: DuckDb,
  versionFolder: string,
  tables: ReadonlyMap<PublishedTable, WrittenTable>,
): Promise<Map<PublishedTable, ManifestFile[]>> {
  const paths = [...tables.values()].flatMap(({ written }) => written.map(({ path }) => path));
  const spanOf = await readSpans(warehouse, versionFolder, paths);
  const filesOf = new Map<PublishedTable, ManifestFile[]>();
  for (const [table, { linked, written }] of tables) {
    const files = [...linked];
    for (const { path, finished } of written) files.push({ path, ...spanOf(path), ...(await finished) });
    filesOf.set(
      table,
      files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    );
  }
  return filesOf;
}
