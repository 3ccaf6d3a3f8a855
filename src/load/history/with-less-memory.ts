import type { DuckDb } from "../../engines/duckdb.ts";

/** Of its limit, so much is left to DuckDB while it loads: what its JSON reader and a landing's pieces take is not in it. */
const share = 0.75;

/** Runs `body` with a lower memory limit. */
export async function withLessMemory<Result>(
  warehouse: DuckDb,
  body: () => Promise<Result>,
): Promise<Result> {
  const { limit } = await warehouse.get<{ limit: string }>(
    "select current_setting('memory_limit') as \"limit\"",
  );
  // As DuckDB writes it: `572.2 MiB`.
  const [size, unit] = limit.split(" ");
  await warehouse.run(`set memory_limit = '${(Number(size) * share).toFixed(1)} ${unit}'`);
  try {
    return await body();
  } finally {
    await warehouse.run(`set memory_limit = '${limit}'`);
  }
}
