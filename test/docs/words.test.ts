import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";

const paths = ["src", "sql", "docs"].flatMap((folder) =>
  readdirSync(join(packageRoot, folder), { encoding: "utf8", recursive: true }).map((path) =>
    join(folder, path),
  ),
);
const texts = [...paths, "README.md", "CONTRIBUTING.md"]
  .filter((path) => /\.(?:ts|sql|md)$/.test(path))
  .map((path) => ({ path, lines: readFileSync(join(packageRoot, path), "utf8").split("\n") }));

/** Wordings that this project avoids, and what it writes instead. Only the glossary lists them. */
const avoided: readonly [wording: RegExp, instead: string, files?: RegExp][] = [
  [/\bcounts? as\b/i, "is, is treated as"],
  [/\bcounts (?:for|wholly)\b/i, "applies to, is used for"],
  [
    /\b(?:its|their|your|a user's|the user's) own (?:report|check|term)s?\b/i,
    "custom reports, checks, terms",
  ],
  [/\bown (?:report|check)s?\b/i, "custom reports, checks"],
  [/\b(?:judge|judges|judged|judging|judgement|verdicts?)\b/i, "assess, validate; status"],
  [/\b(?:forgets?|forgotten|sweeps?|swept|retires?|retired)\b/i, "delete, remove"],
  [/\b(?:admits?|admitted)\b/i, "accept, let through"],
  [/^(?:export )?(?:interface|type) [A-Z][a-z]+ed\b/, "a noun, such as NotifyResult", /\.ts$/],
];

it.each(avoided)("no text has %s: write %s", (wording, _instead, files = /./) => {
  const found = texts
    .filter(({ path }) => files.test(path))
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        wording.test(line) && !isOfGlossary(path, line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
      ),
    );
  expect(found).toEqual([]);
});

/** The last column of the glossary has words that a term replaces. */
function isOfGlossary(path: string, line: string): boolean {
  return path === "CONTRIBUTING.md" && line.startsWith("| ");
}
