import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * DuckDB's library, loaded by `require`: an `import` of this many CommonJS files first scans each of them for
 * its exports, which takes longer than many a report.
 */
export const duckDbLibrary: typeof import("@duckdb/node-api") = require("@duckdb/node-api");

// The library's decoder drops a leading byte order mark from each text in rows, while chunks and files keep
// it.
const accessors: {
  textDecoder: InstanceType<typeof TextDecoder>;
} = require("@duckdb/node-api/lib/vectors/dataAccessors.js");
accessors.textDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
