// Writes docs/tried.md from what `make soak` or `make mutants` did: node tell.mjs RESULTS_JSON TRIED_JSONL; no results: "".
// Of what did not run, what stands there stays.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = join(root, "docs/tried.md");
const [results, tried] = process.argv.slice(2);
const { testResults, startTime } = results
  ? JSON.parse(readFileSync(results, "utf8"))
  : { testResults: [], startTime: Date.now() };
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const day = new Date(startTime).toISOString().slice(0, 10);

const ends = { passed: "as it should", failed: "**failed**" };
const part = process.env.PART ? ` (part ${process.env.PART.replace("/", " of ")})` : "";
const text = (words) => words.replaceAll("|", "\\|").replaceAll("\n", " ");
const before = existsSync(page) ? readFileSync(page, "utf8") : "";
const suites = new Map(matches(before, /^\| `(test\/.+?)` \|.*$/gm));
const sections = new Map(matches(before, /^### (test\/.+)\n\n(?:\|.*\n?)+/gm));
const counts = new Map(matches(before, /^\| ((?:[^`|\\]|\\.)+) \| [\d,]+ \| [^|]+ \| \d{4}-.*$/gm));

for (const { name, assertionResults } of testResults) {
  const ran = assertionResults.filter(({ status }) => status in ends);
  if (ran.length === 0) continue;
  const file = relative(root, name);
  const rows = new Map(keptCases(file, assertionResults));
  for (const one of ran) {
    if (!part) for (const [title] of rows) if (isPartOf(title, text(one.title))) rows.delete(title);
    const title = `${text(one.title)}${part}`;
    rows.set(title, `| ${title} | ${ends[one.status]}${reasonOf(one)} |`);
  }
  const failed = [...rows.values()].filter((row) => row.includes(`| ${ends.failed}`)).length;
  const minutes = ran.reduce((sum, { duration = 0 }) => sum + duration, 0) / 60_000;
  const sums = [rows.size, rows.size - failed, failed, minutes.toFixed(1), day, version];
  suites.set(file, `| \`${file}\` | ${sums.join(" | ")} |`);
  sections.set(file, `### ${file}\n\n| case | ended |\n|---|---|\n${[...rows.values()].join("\n")}\n`);
}
for (const line of readFileSync(tried, "utf8").split("\n").filter(Boolean)) {
  const { what, times, happened } = JSON.parse(line);
  const ended = Object.entries(happened).map(([end, count]) => `${end}: ${count.toLocaleString("en")}`);
  const row = [text(what), times.toLocaleString("en"), text(ended.join("; ")), day];
  counts.set(row[0], `| ${row.join(" | ")} |`);
}

writeFileSync(
  page,
  `# What was tried

What \`make soak\` and \`make mutants\` did, and how it ended: written by their own results. Where it ran in parts, each suite
tells when the newest of them did, and for how long. A case that is not listed was not tried. "As it should" means: exact figures in the end, or one clear error, and
nothing lost.

| suite | cases | passed | failed | minutes | on | version |
|---|---|---|---|---|---|---|
${inOrder(suites).join("\n")}

## How often

| what | times | ended | on |
|---|---|---|---|
${inOrder(counts).join("\n")}

## Cases

${inOrder(sections).join("\n")}`,
);

/** The rows of a suite's cases that are still there, whether or not they ran this time, by title. */
function keptCases(file, assertionResults) {
  const titles = assertionResults.map(({ title }) => text(title));
  const rows = matches(sections.get(file) ?? "", /^\| ((?:[^|\\]|\\.)+) \| (?:as it should|\*\*failed).*$/gm);
  return rows.filter(([title]) => titles.some((known) => title === known || isPartOf(title, known)));
}

function isPartOf(title, whole) {
  return title.startsWith(`${whole} (part `);
}

/** The first line of why a case failed. */
function reasonOf({ failureMessages = [] }) {
  const [line] = failureMessages.join("\n").split("\n");
  return line ? `: ${text(stripVTControlCharacters(line))}` : "";
}

/** By what stands in the first brackets of the pattern: the whole match. */
function matches(words, pattern) {
  return Array.from(words.matchAll(pattern), ([whole, key]) => [key, whole]);
}

function inOrder(rows) {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
