import { createRequire } from "node:module";

/**
 * DuckDB's library, by `require`: an `import` of so many CommonJS files looks through each of them for its names first,
 * which takes longer than many a report.
 */
export const duckDbLibrary: typeof import("@duckdb/node-api") = createRequire(import.meta.url)(
  "@duckdb/node-api",
);
