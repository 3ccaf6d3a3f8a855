import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { DuckDb } from "../engines/duckdb.ts";
import { copyLanding } from "./copy-landing.ts";

/** Runs `body` on a copy of the landing that DuckDB can read, where DuckDB keeps its own temporary files. */
export async function withCopy<Result>(
  warehouse: DuckDb,
  path: string,
  signal: AbortSignal | undefined,
  body: (copy: string) => Promise<Result>,
): Promise<Result> {
  const { folder } = await warehouse.get<{ folder: string }>(
    "select current_setting('temp_directory') as folder",
  );
  const parent = isAbsolute(folder) ? folder : tmpdir();
  await mkdir(parent, { recursive: true });
  const own = await mkdtemp(join(parent, "landing-copy-"));
  try {
    const copy = join(own, "landing.jsonl");
    await copyLanding(path, copy, signal);
    return await body(copy);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}
