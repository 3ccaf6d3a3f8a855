import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * DuckDB's library. Loaded by `require`, because `import` first scans this many CommonJS files for exports,
 * which takes longer than many a report.
 */
export const duckDbLibrary: typeof import("@duckdb/node-api") = require("@duckdb/node-api");

// The library's decoder drops a leading byte order mark from texts in rows, but not in chunks and files.
const accessors: {
  textDecoder: InstanceType<typeof TextDecoder>;
} = require("@duckdb/node-api/lib/vectors/dataAccessors.js");
accessors.textDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
