import type { DuckDb } from "./duckdb.ts";

/** Runs `body` with a fraction of the memory limit, for work with memory that the limit does not include. */
export async function withLessMemory<Result>(
  database: DuckDb,
  share: number,
  body: () => Promise<Result>,
): Promise<Result> {
  const { limit } = await database.get<{ limit: string }>(
    "select current_setting('memory_limit') as \"limit\"",
  );
  // DuckDB formats the limit like `572.2 MiB`.
  const [size, unit] = limit.split(" ");
  await database.run(`set memory_limit = '${(Number(size) * share).toFixed(1)} ${unit}'`);
  try {
    return await body();
  } finally {
    await database.run(`set memory_limit = '${limit}'`);
  }
}
