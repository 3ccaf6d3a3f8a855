import type { DuckDb } from "./duckdb.ts";

/** Runs `body` with so much of the memory limit: for work that takes memory beside what DuckDB counts. */
export async function withLessMemory<Result>(
  database: DuckDb,
  share: number,
  body: () => Promise<Result>,
): Promise<Result> {
  const { limit } = await database.get<{ limit: string }>(
    "select current_setting('memory_limit') as \"limit\"",
  );
  // As DuckDB writes it: `572.2 MiB`.
  const [size, unit] = limit.split(" ");
  await database.run(`set memory_limit = '${(Number(size) * share).toFixed(1)} ${unit}'`);
  try {
    return await body();
  } finally {
    await database.run(`set memory_limit = '${limit}'`);
  }
}
