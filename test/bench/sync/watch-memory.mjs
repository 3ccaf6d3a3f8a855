// Preloaded into a sync: writes the most memory that it had beside DuckDB to the file WATCH_MEMORY names.
import { writeFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

/** What DuckDB says it uses is asked over a connection of our own. */
const watched = new Set();
const create = DuckDBInstance.create;
DuckDBInstance.create = async (...args) => {
  const instance = await create.apply(DuckDBInstance, args);
  const connection = await instance.connect();
  watched.add(connection);
  const close = instance.closeSync;
  instance.closeSync = () => {
    watched.delete(connection);
    connection.closeSync();
    close.call(instance);
  };
  return instance;
};

const peak = { beside: 0, node: 0, total: 0, duckdb: 0 };
let isSampling = false;

async function sample() {
  if (isSampling) return;
  isSampling = true;
  try {
    let duckdb = 0;
    for (const connection of watched) {
      const reader = await connection
        .runAndReadAll("select cast(sum(memory_usage_bytes) as double) from duckdb_memory()")
        .catch(() => undefined);
      duckdb += Number(reader?.getRows()[0]?.[0] ?? 0);
    }
    const { rss, heapTotal, external } = process.memoryUsage();
    peak.beside = Math.max(peak.beside, rss - duckdb);
    peak.node = Math.max(peak.node, heapTotal + external);
    peak.total = Math.max(peak.total, rss);
    peak.duckdb = Math.max(peak.duckdb, duckdb);
  } finally {
    isSampling = false;
  }
}

setInterval(() => void sample(), 50).unref();
process.on("exit", () => writeFileSync(process.env.WATCH_MEMORY, JSON.stringify(peak)));
