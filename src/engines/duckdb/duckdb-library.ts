import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * DuckDB's library, by `require`: an `import` of so many CommonJS files looks through each of them for its names first,
 * which takes longer than many a report.
 */
export const duckDbLibrary: typeof import("@duckdb/node-api") = require("@duckdb/node-api");

// Its decoder drops a byte order mark from the beginning of each text that rows hold; chunks and files keep it.
const accessors: {
  textDecoder: InstanceType<typeof TextDecoder>;
} = require("@duckdb/node-api/lib/vectors/dataAccessors.js");
accessors.textDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
