// Writes docs/tried.md from the results of `make soak`: node tell.mjs RESULTS_JSON. A case that is not in the results was not tried.
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const results = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const ends = { passed: "as it should", failed: "**failed**" };
const suites = results.testResults
  .map(({ name, assertionResults }) => ({
    file: relative(root, name),
    cases: assertionResults.filter(({ status }) => status in ends),
  }))
  .filter(({ cases }) => cases.length > 0)
  .sort((a, b) => (a.file < b.file ? -1 : 1));

const count = (cases, status) => cases.filter((one) => one.status === status).length;
const minutes = (cases) => (cases.reduce((sum, { duration = 0 }) => sum + duration, 0) / 60_000).toFixed(1);
const text = (title) => title.replaceAll("|", "\\|");

const sums = suites.map(
  ({ file, cases }) =>
    `| \`${file}\` | ${cases.length} | ${count(cases, "passed")} | ${count(cases, "failed")} | ${minutes(cases)} |`,
);
const lists = suites.map(
  ({ file, cases }) =>
    `### ${file}\n\n| case | ended |\n|---|---|\n` +
    cases.map(({ title, status }) => `| ${text(title)} | ${ends[status]} |`).join("\n"),
);

writeFileSync(
  join(root, "docs/tried.md"),
  `# What was tried

What \`make soak\` did to version ${version}, and how it ended: written by its own results on ${new Date(results.startTime).toISOString().slice(0, 10)}. A case that is not
listed was not tried then. "As it should" means: exact figures in the end, or one clear error, and nothing lost.

| suite | cases | passed | failed | minutes |
|---|---|---|---|---|
${sums.join("\n")}

## Cases

${lists.join("\n\n")}
`,
);
