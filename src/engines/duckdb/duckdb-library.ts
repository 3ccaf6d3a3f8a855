import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * DuckDB's library, loaded with `require`, because `import` would first scan its many CommonJS files for
 * exports, which takes longer than many reports.
 */
export const duckDbLibrary: typeof import("@duckdb/node-api") = require("@duckdb/node-api");

// Replaces the library's decoder, which removes a leading byte order mark from strings in rows, but not from
// strings in chunks and files.
const accessors: {
  textDecoder: InstanceType<typeof TextDecoder>;
} = require("@duckdb/node-api/lib/vectors/dataAccessors.js");
accessors.textDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
