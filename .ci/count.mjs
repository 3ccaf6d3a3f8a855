// Sums the counts of `make test`, `make test-readers` and `make test-trino` into the closing line, and fails where anything failed.
// node count.mjs TESTS_JSON TESTS_STATUS READERS_COUNTS READERS_STATUS TRINO_JSON TRINO_STATUS
import { existsSync, readFileSync } from "node:fs";

const [testsFile, testsStatus, readersFile, readersStatus, trinoFile, trinoStatus] = process.argv.slice(2);
const read = (file) => (existsSync(file) ? readFileSync(file, "utf8").trim() : "");

/** What ended badly and counted no failure (types or lint failed, so no test has run) is one, never silence. */
function withStatus({ passed, failed, skipped }, status) {
  return { passed, failed: failed || (status === "0" ? 0 : 1), skipped };
}

function testCounts(file) {
  const text = read(file);
  if (!text) return { passed: 0, failed: 0, skipped: 0 };
  const counts = JSON.parse(text);
  return {
    passed: counts.numPassedTests,
    failed: counts.numFailedTests,
    skipped: counts.numPendingTests + counts.numTodoTests,
  };
}

function readerCounts() {
  const [passed = 0, failed = 0, skipped = 0] = read(readersFile).split(/\s+/).filter(Boolean).map(Number);
  return { passed, failed, skipped };
}

const parts = [
  withStatus(testCounts(testsFile), testsStatus),
  withStatus(readerCounts(), readersStatus),
  withStatus(testCounts(trinoFile), trinoStatus),
];
const sum = (key) => parts.reduce((total, part) => total + part[key], 0);
const skipped = sum("skipped");
console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
