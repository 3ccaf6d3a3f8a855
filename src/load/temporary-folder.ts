import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";

/** What loads keep in folders of their own: what was piped in, and what DuckDB is to read. */
const uses = ["stdin", "load"] as const;

/** Gives `body` an empty folder in `parent`, and removes it however `body` ends. */
export async function withTemporaryFolder<Result>(
  parent: string,
  use: (typeof uses)[number],
  body: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(parent, `${use}-`));
  try {
    return await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes what loads left that were killed, or whose disk failed. The holder of the run lock alone may do so. */
export async function removeLeftFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (uses.some((use) => name.startsWith(`${use}-`)))
      await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** Gives `body` a folder of its own where DuckDB keeps its temporary files, and removes it then. */
export async function withScratchFolder<Result>(
  warehouse: DuckDb,
  body: (folder: string) => Promise<Result>,
): Promise<Result> {
  const parent = warehouse.tempDir ?? (await findDefault(warehouse));
  await mkdir(parent, { recursive: true });
  return await withTemporaryFolder(parent, "load", body);
}

async function findDefault(warehouse: DuckDb): Promise<string> {
  const { folder } = await warehouse.get<{ folder: string }>(
    "select current_setting('temp_directory') as folder",
  );
  return isAbsolute(folder) ? folder : tmpdir();
}
