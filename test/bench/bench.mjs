// Measures `venue` from outside, as whole processes, against DuckDB's own typed read and other tools; see
// docs/benchmarks.md. N lines (default 10,000,000), ROUNDS rounds (default 5). Prints a table and writes
// bench.json into the working folder; exits 1 if a budget is exceeded or a case fails.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { measureBases } from "./cases/base-cases.mjs";
import { measureBuilds } from "./cases/build-cases.mjs";
import { measureLoads } from "./cases/load-cases.mjs";
import { measurePeers } from "./cases/peer-cases.mjs";
import { measureReports } from "./cases/report-cases.mjs";
import { measureServe } from "./cases/serve-cases.mjs";
import { measureStarts } from "./cases/start-cases.mjs";
import { historyOf } from "./history/history.mjs";
import { HistoryFiles } from "./history/history-files.mjs";
import { Figures } from "./measure/figures.mjs";
import { killMeasured } from "./measure/measured-process.mjs";
import { judged } from "./result/budgets.mjs";
import { tableText } from "./result/table.mjs";

const folder = mkdtempSync(join(tmpdir(), "venue-analytics-bench-"));
const lines = wholeNumber("N", 10_000_000);
const rounds = wholeNumber("ROUNDS", 5);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => {
    killMeasured();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    process.exit(130);
  });
try {
  const history = historyOf(lines);
  const files = new HistoryFiles(folder, history);
  const shortage = files.findShortage();
  if (shortage) fail(shortage);
  const figures = await measureAll(history, files);
  const rows = judged(figures, lines);
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}`;
  console.log(`${lines.toLocaleString("en")} music lines, ${rounds} rounds; ${machine}. Seconds.\n`);
  console.log(tableText(rows));
  writeFileSync("bench.json", `${JSON.stringify({ lines, rounds, machine, rows }, undefined, 2)}\n`);
  process.exitCode = rows.some(({ problem, budget }) => problem || budget?.isMissed) ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Each round runs all cases, so that other load on the machine affects them equally. */
async function measureAll(history, files) {
  const figures = new Figures();
  for (let round = 1; round <= rounds; round += 1) {
    const say = (what) => process.stderr.write(`round ${round} of ${rounds}: ${what}\n`);
    const bench = { folder, history, files, figures, say };
    await measureBases(bench);
    await measureLoads(bench);
    await measureBuilds(bench);
    await measureReports(bench);
    await measureServe(bench);
    await measureStarts(bench);
    if (round === 1) await measurePeers(bench);
  }
  return figures;
}

function wholeNumber(name, otherwise) {
  const text = process.env[name] || String(otherwise);
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  fail(`${name} is "${text}"; a whole number above 0 is needed.`);
}

function fail(message) {
  console.error(message);
  rmSync(folder, { recursive: true, force: true });
  process.exit(2);
}
