// Counts what became of mutants, by folder, as lines of JSON for docs/tried.md: node count.mjs REPORT_JSON.
import { readFileSync } from "node:fs";

const ends = {
  Killed: "found",
  Timeout: "found, as it never ended",
  Survived: "not found",
  NoCoverage: "in no test",
};
const { files } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const folders = new Map();
for (const [path, { mutants }] of Object.entries(files)) {
  const folder = path
    .split("/")
    .slice(0, 3)
    .join("/")
    .replace(/\/[^/]+\.ts$/, "");
  const counts = folders.get(folder) ?? {};
  for (const { status } of mutants)
    if (status in ends) counts[ends[status]] = (counts[ends[status]] ?? 0) + 1;
  folders.set(folder, counts);
}
for (const [folder, happened] of [...folders].sort()) {
  const times = Object.values(happened).reduce((sum, count) => sum + count, 0);
  if (times > 0)
    process.stdout.write(`${JSON.stringify({ what: `mutants of ${folder}`, times, happened })}\n`);
}
