import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";

/** Prefixes of temporary folders: `stdin` for piped input, `load` for files that DuckDB reads. */
const uses = ["stdin", "load"] as const;

/** Passes `body` an empty folder in `parent`, and removes it even if `body` throws. */
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

/** Removes folders left by killed loads or failed disks. Only the holder of the run lock may call this. */
export async function removeLeftFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (uses.some((use) => name.startsWith(`${use}-`)))
      await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** Passes `body` a new folder inside DuckDB's temporary folder, and removes it afterwards. */
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
