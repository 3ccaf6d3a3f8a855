// Preloaded into a sync: writes its peak memory, total and outside DuckDB, to the file WATCH_MEMORY.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

let open = 0;
const create = DuckDBInstance.create;
DuckDBInstance.create = async (...args) => {
  const instance = await create.apply(DuckDBInstance, args);
  open += 1;
  const close = instance.closeSync;
  instance.closeSync = () => {
    close.call(instance);
    open -= 1;
  };
  return instance;
};

const peak = { beside: 0, javaScript: 0, total: 0 };
/** Memory when the last database was closed. */
let closed;

/** While a database is open, growth is DuckDB's apart from the JavaScript heap; the rest is ours. */
function sample() {
  const { rss, heapTotal, external } = process.memoryUsage();
  const javaScript = heapTotal + external;
  if (open === 0 || !closed) closed = { rss, javaScript };
  peak.beside = Math.max(peak.beside, closed.rss + Math.max(0, javaScript - closed.javaScript));
  peak.javaScript = Math.max(peak.javaScript, javaScript);
  peak.total = Math.max(peak.total, rss);
}

sample();
setInterval(sample, 20).unref();
process.on("exit", () => {
  const beside = peak.beside - libraryBytes();
  writeFileSync(process.env.WATCH_MEMORY, JSON.stringify({ ...peak, beside }));
});

/** Resident size of DuckDB's own library; 0 if the system does not report it. */
function libraryBytes() {
  if (!existsSync("/proc/self/smaps")) return 0;
  let isDuckDb = false;
  let kilobytes = 0;
  for (const line of readFileSync("/proc/self/smaps", "utf8").split("\n")) {
    if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) isDuckDb = /duckdb/.test(line);
    else if (isDuckDb && line.startsWith("Rss:")) kilobytes += Number(/\d+/.exec(line)?.[0] ?? 0);
  }
  return kilobytes * 1024;
}
