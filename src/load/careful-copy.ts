import { join } from "node:path";
import type { DuckDb } from "../engines/duckdb.ts";
import { copyLanding } from "./copy-landing.ts";
import { withScratchFolder } from "./scratch-folder.ts";

/** Runs `body` on a copy of the landing that DuckDB can read, where DuckDB keeps its own temporary files. */
export async function withCopy<Result>(
  warehouse: DuckDb,
  path: string,
  signal: AbortSignal | undefined,
  body: (copy: string) => Promise<Result>,
): Promise<Result> {
  return await withScratchFolder(warehouse, "landing-copy-", async (folder) => {
    const copy = join(folder, "landing.jsonl");
    await copyLanding(path, copy, signal);
    return await body(copy);
  });
}
