import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute } from "node:path";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

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
