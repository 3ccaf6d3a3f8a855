// Counts what became of mutants, as a line of JSON for docs/tried.md: node count.mjs REPORT_JSON; FILES and BY as they ran.
import { readFileSync } from "node:fs";

const ends = {
  Killed: "found",
  Timeout: "found, as it never ended",
  Survived: "not found",
  NoCoverage: "in no test",
};
const { FILES: files = "", BY: by = "" } = process.env;
const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const happened = {};
for (const { status } of Object.values(report.files).flatMap(({ mutants }) => mutants))
  if (status in ends) happened[ends[status]] = (happened[ends[status]] ?? 0) + 1;
const times = Object.values(happened).reduce((sum, count) => sum + count, 0);
const what = `mutants of ${files || "loads, walks and builds"}, by ${by || "all tests of these"}`;
process.stdout.write(`${JSON.stringify({ what, times, happened })}\n`);
