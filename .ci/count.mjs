// Sums the counts of several runners into the closing line, and fails where anything failed.
// node count.mjs STATUS RESULTS [STATUS RESULTS ...]: a runner's exit code, and its counts as vitest's JSON or as three numbers
import { existsSync, readFileSync } from "node:fs";

const words = process.argv.slice(2);
const read = (file) => (existsSync(file) ? readFileSync(file, "utf8").trim() : "");

/** What ended badly and counted no failure (types or lint failed, so no test has run) is one, never silence. */
function withStatus({ passed, failed, skipped }, status) {
  return { passed, failed: failed || (status === "0" ? 0 : 1), skipped };
}

function countsOf(file) {
  const text = read(file);
  if (text.startsWith("{")) {
    const counts = JSON.parse(text);
    return {
      passed: counts.numPassedTests,
      failed: counts.numFailedTests,
      skipped: counts.numPendingTests + counts.numTodoTests,
    };
  }
  const [passed = 0, failed = 0, skipped = 0] = text.split(/\s+/).filter(Boolean).map(Number);
  return { passed, failed, skipped };
}

const parts = words.flatMap((status, index) =>
  index % 2 === 0 ? [withStatus(countsOf(words[index + 1]), status)] : [],
);
const sum = (key) => parts.reduce((total, part) => total + part[key], 0);
const skipped = sum("skipped");
console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
