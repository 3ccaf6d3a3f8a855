// Updates docs/tried.md after `make soak`: node write-tried.mjs RESULTS_JSON ROUNDS_JSONL. Suites that did
// not run keep their row.
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = join(root, "docs/tried.md");
const [resultsFile, roundsFile] = process.argv.slice(2);
const { testResults, startTime } = JSON.parse(readFileSync(resultsFile, "utf8"));
const day = new Date(startTime).toISOString().slice(0, 10);
const part = process.env.PART ? ` (part ${process.env.PART.replace("/", " of ")})` : "";

const roundsOf = {};
for (const line of readFileSync(roundsFile, "utf8").split("\n").filter(Boolean)) {
  const { suite, times } = JSON.parse(line);
  roundsOf[suite] = (roundsOf[suite] ?? 0) + times;
}

const before = readFileSync(page, "utf8").matchAll(/^\| (`test\/[^|]+) \|.*$/gm);
const rows = new Map(Array.from(before, ([row, suite]) => [suite, row]));
for (const { name, assertionResults } of testResults) {
  const count = (wanted) => assertionResults.filter(({ status }) => status === wanted).length;
  const [passed, failed] = [count("passed"), count("failed")];
  if (passed + failed === 0) continue;
  const suite = `\`${relative(root, name)}\`${part}`;
  const rounds = (roundsOf[name] ?? 0).toLocaleString("en");
  const result = failed > 0 ? `**${failed} failed**` : "passed";
  rows.set(suite, `| ${[suite, passed + failed, rounds === "0" ? "" : rounds, day, result].join(" | ")} |`);
}

writeFileSync(
  page,
  `# Soak test results

This page is for developers and reviewers: it shows when each long-running suite last ran, and with what result. \`make soak\`
writes it. A suite passes if every case ends with exact figures or one clear error, and no data is lost. Rounds count the kills,
failed writes or mutated inputs of all cases.

| suite | cases | rounds | date | result |
|---|---|---|---|---|
${[...rows.keys()]
  .sort()
  .map((suite) => rows.get(suite))
  .join("\n")}
`,
);
